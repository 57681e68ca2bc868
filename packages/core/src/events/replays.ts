import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeMessage } from "./change-event.ts";
import type { ChangeLog, PlacedChange } from "./change-log.ts";
import type { Listening } from "./listeners.ts";
import { PAGE } from "./change-log.ts";

/** Listeners who read at the same time what they have missed; the others wait for their turn. */
const MOST_AT_ONCE = 8;

export interface Replay {
  /** The place it resumes behind; undefined where its id is none of this log. Asked once the log was looked at. */
  readonly start: () => number | undefined;
  /** Where those stand who listen already. */
  readonly end: () => number;
  readonly eventOf: (change: PlacedChange) => ChangeMessage;
  /** It stands where all the others do, or (`isComplete` false) some of what it missed is not known any more. */
  readonly join: (isComplete: boolean) => void;
}

interface ReplaysOptions {
  /** Milliseconds until a log that is out of reach is tried again. */
  readonly retryAfter: number;
  /** A look at the log that begins now. */
  readonly settled: () => Promise<void>;
}

/** Hands over to those who resume what they have missed, each at its own pace. */
export class Replays {
  readonly #changes: ChangeLog;
  readonly #options: ReplaysOptions;
  readonly #turns: (() => void)[] = [];
  #running = 0;

  constructor(changes: ChangeLog, options: ReplaysOptions) {
    this.#changes = changes;
    this.#options = options;
  }

  async run(own: Listening, replay: Replay): Promise<void> {
    if (this.#running >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#turns.push(resolve));
    else this.#running++;
    try {
      await this.#untilItWorks(own, this.#options.settled);
      const start = replay.start();
      if (start === undefined || start > replay.end()) replay.join(false);
      else await this.#readOn(own, start, replay);
    } finally {
      const next = this.#turns.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  async #readOn(own: Listening, start: number, replay: Replay): Promise<void> {
    own.since = start;
    while (own.since < replay.end() && !own.isOver) {
      await own.listener.room?.();
      const { since: after, resource } = own;
      const page = await this.#untilItWorks(own, () => this.#changes.read({ after, limit: PAGE, resource }));
      if (page === undefined) return;
      if (page.kind === "lost") {
        replay.join(false);
        return;
      }
      for (const change of page.changes) if (!own.isOver) own.listener.push(replay.eventOf(change));
      own.since = page.place;
    }
    // In the same turn in which it was found to have everything.
    replay.join(true);
  }

  /** A database that is away is waited for, as long as somebody listens. */
  async #untilItWorks<T>(own: Listening, work: () => Promise<T>): Promise<T | undefined> {
    while (!own.isOver) {
      try {
        return await work();
      } catch {
        await sleep(this.#options.retryAfter, undefined, { ref: false });
      }
    }
    return undefined;
  }
}
