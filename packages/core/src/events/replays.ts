import { sleep } from "../runtime/timers.ts";
import type { ChangeMessage } from "./change-event.ts";
import type { ChangeLog, LoggedChange } from "./change-log.ts";
import type { Listening } from "./listeners.ts";
import { PAGE } from "./change-log.ts";
import { eventLoopTurn } from "../util/event-loop-turn.ts";

/** Maximum number of listeners that read missed changes at the same time. Further listeners wait. */
const MAX_CONCURRENT_REPLAYS = 8;

export interface Replay {
  /**
   * Returns the offset after which to resume, or undefined if the id doesn't belong to this log. Called after the log
   * has been read.
   */
  readonly start: () => number | undefined;
  /** Returns the offset that the joined listeners have reached. */
  readonly end: () => number;
  readonly eventOf: (change: LoggedChange) => ChangeMessage;
  /** Joins the other listeners. `isComplete` is false if some missed changes are no longer known. */
  readonly join: (isComplete: boolean) => void;
}

interface ReplaysOptions {
  /** Milliseconds until an unavailable log is read again. */
  readonly retryAfter: number;
  /** Starts a new read of the log. */
  readonly settled: () => Promise<void>;
}

/** Delivers missed changes to resuming listeners, each at its own pace. */
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
    if (this.#running >= MAX_CONCURRENT_REPLAYS) await new Promise<void>((resolve) => this.#turns.push(resolve));
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
      await own.listener.drain?.();
      const { since: after, resource } = own;
      const page = await this.#untilItWorks(own, () => this.#changes.read({ after, limit: PAGE, resource }));
      if (page === undefined) return;
      if (page.kind === "lost") {
        replay.join(false);
        return;
      }
      for (const change of page.changes) if (!own.isOver) own.listener.next(replay.eventOf(change));
      own.since = page.offset;
      // A database in this process answers at once, and a listener that wants none of the changes never waits.
      if (own.since < replay.end()) await eventLoopTurn();
    }
    // Joins synchronously, so that no change arrives in between.
    replay.join(true);
  }

  /** Retries while the database is unavailable and the listener is still open. */
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
