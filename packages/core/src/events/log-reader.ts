import type { Log } from "../util/log.ts";
import type { ChangeMessage } from "./change-event.ts";
import { type ChangeLog, type LogHead, PAGE, type PlacedChange } from "./change-log.ts";
import type { ChangeSource, SourceListener } from "./change-source.ts";
import { eventId, placeOf } from "./event-id.ts";
import { Listeners } from "./listeners.ts";
import { Replays } from "./replays.ts";

const LONGEST_WAIT = 10_000;
const PRUNE_EVERY = 60_000;

export interface LogReaderOptions {
  /** Milliseconds between looks at the log while nobody says that it has grown. */
  readonly poll: number;
  readonly log: Log;
  /** Changes got their places by this instance: the others are to be told. */
  readonly onGrowth: () => void;
}

/** A look at the log that somebody waits for. */
interface Look {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
}

/** Reads the log of a store once for all listeners of this instance. Its cursor is in memory: it starts at the head. */
export class LogReader implements ChangeSource {
  readonly #changes: ChangeLog;
  readonly #options: LogReaderOptions;
  readonly #listeners = new Listeners();
  readonly #replays: Replays;
  /** Unknown until the log was looked at. */
  #name = "";
  #place = 0;
  #isRunning = false;
  #isWanted = false;
  #isClosed = false;
  #failures = 0;
  #next: Look | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pruner: NodeJS.Timeout | undefined;

  constructor(changes: ChangeLog, options: LogReaderOptions) {
    this.#changes = changes;
    this.#options = options;
    this.#replays = new Replays(changes, { retryAfter: options.poll, settled: () => this.settled() });
  }

  /** Looks at the log as soon as it can. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#isClosed) return;
    this.#pruner ??= setInterval(() => void this.#prune(), PRUNE_EVERY).unref();
    void this.#run();
  }

  /** Another instance says that the log has grown. */
  hear(): void {
    if (this.#listeners.count > 0) this.wake();
  }

  settled(): Promise<void> {
    const look = (this.#next ??= createLook());
    this.wake();
    return look.done;
  }

  subscribe(resource: string, listener: SourceListener, after?: string): () => void {
    const own = this.#listeners.open(resource, listener);
    if (after === undefined) this.#listeners.join(own);
    else {
      let name: string;
      void this.#replays.run(own, {
        start: () => placeOf((name = this.#name), after),
        end: () => this.#place,
        eventOf: (change) => this.#eventOf(change),
        join: (isComplete) => {
          if (!isComplete || name !== this.#name) {
            own.since = this.#place;
            listener.push(this.#reset());
          }
          this.#listeners.join(own);
          // Who has read further than all others would get the same again from them.
          if (own.since <= this.#place) listener.caughtUp?.();
        },
      });
    }
    return () => this.#listeners.end(own);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pruner);
    this.#listeners.endAll();
    this.#next?.reject(new Error("The API is closed."));
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    clearTimeout(this.#timer);
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      const look = this.#next;
      this.#next = undefined;
      try {
        const head = await this.#changes.advance();
        if (head.grew) this.#options.onGrowth();
        await this.#readTo(head);
        this.#recovered();
        look?.resolve();
      } catch (thrown) {
        // Its store is closed as well then.
        if (!this.#isClosed) this.#failed(thrown);
        look?.reject(thrown);
      }
    }
    this.#isRunning = false;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isClosed || this.#listeners.count === 0) return;
    const { poll } = this.#options;
    const wait = Math.min(poll * 2 ** this.#failures, Math.max(LONGEST_WAIT, poll));
    // Instances that lost their database together don't come back all at once.
    const spread = this.#failures === 0 ? 1 : 0.5 + Math.random() / 2;
    this.#timer = setTimeout(() => this.wake(), wait * spread).unref();
  }

  async #readTo(head: LogHead): Promise<void> {
    if (this.#name !== head.name || this.#place > head.place) {
      const isFirst = this.#name === "";
      this.#name = head.name;
      this.#place = head.place;
      if (!isFirst) this.#listeners.pushAll(this.#reset());
    }
    while (this.#place < head.place && !this.#isClosed) {
      // Who does not listen need not be told.
      if (this.#listeners.count === 0) this.#place = head.place;
      else await this.#readPage(head);
    }
  }

  async #readPage(head: LogHead): Promise<void> {
    const page = await this.#changes.read({ after: this.#place, limit: PAGE });
    if (page.kind === "page") {
      for (const change of page.changes) {
        this.#place = change.place;
        this.#listeners.push(change.draft.resource, change.place, () => this.#eventOf(change));
      }
      this.#place = page.place;
    } else {
      // Pruned before it was read here.
      this.#place = head.place;
      this.#listeners.pushAll(this.#reset());
    }
  }

  #eventOf({ place, draft }: PlacedChange): ChangeMessage {
    return { id: eventId(this.#name, place), ...draft };
  }

  #reset(): ChangeMessage {
    return { kind: "reset", id: eventId(this.#name, this.#place) };
  }

  async #prune(): Promise<void> {
    try {
      await this.#changes.prune();
    } catch (thrown) {
      this.#options.log.warn("Old events could not be deleted. Retrying.", { cause: thrown });
    }
  }

  /** Told once, not at every look. */
  #failed(thrown: unknown): void {
    if (this.#failures === 0) {
      this.#options.log.error("The event log is unavailable. Subscribers receive no events until it is back.", {
        cause: thrown,
      });
    }
    this.#failures = Math.min(this.#failures + 1, 10);
  }

  #recovered(): void {
    if (this.#failures > 0) this.#options.log.info("The event log is available again.");
    this.#failures = 0;
  }
}

function createLook(): Look {
  let parts: Omit<Look, "done"> | undefined;
  const done = new Promise<void>((resolve, reject) => {
    parts = { resolve, reject };
  });
  // Nobody has to wait for it.
  done.catch(() => {});
  return { done, ...(parts as unknown as Omit<Look, "done">) };
}
