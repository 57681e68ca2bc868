import type { Log } from "../util/log.ts";
import type { ChangeMessage } from "./change-event.ts";
import { type ChangeLog, type LogHead, PAGE, type LoggedChange } from "./change-log.ts";
import type { ChangeSource, SourceObserver } from "./change-source.ts";
import { eventLoopTurn } from "../util/event-loop-turn.ts";
import { eventId, offsetOf } from "./event-id.ts";
import { Listeners } from "./listeners.ts";
import { Replays } from "./replays.ts";

const MAX_WAIT_MS = 10_000;
const PRUNE_EVERY = 60_000;

export interface LogReaderOptions {
  /** Interval in milliseconds at which the log is read even without a notification. */
  readonly poll: number;
  readonly log: Log;
  /** Called if this instance wrote changes or assigned offsets, so that it can notify the others. */
  readonly onGrowth: () => void;
}

/** A pending read of the log. */
interface Look {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
}

/**
 * Reads the log of a store once for all listeners of this instance. Its offset is kept in memory and starts at the end
 * of the log.
 */
export class LogReader implements ChangeSource {
  readonly #changes: ChangeLog;
  readonly #options: LogReaderOptions;
  readonly #listeners = new Listeners();
  readonly #replays: Replays;
  /** Unknown until the first read. */
  #name = "";
  #offset = 0;
  #isRunning = false;
  #running: Promise<void> = Promise.resolve();
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

  /** Reads the log as soon as possible. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#pruner ??= setInterval(() => void this.#prune(), PRUNE_EVERY).unref();
    this.#running = this.#run();
  }

  /**
   * Handles a write of this instance. Without listeners, other instances read the log if they have some, and this one
   * reads it only once per interval, so that not too many changes wait for their offsets.
   */
  noteWrite(): void {
    if (this.#listeners.count > 0) this.wake();
    else if (!this.#isClosed) {
      this.#options.onGrowth();
      this.#timer ??= this.#wakeAfter(this.#options.poll);
    }
  }

  /** Handles the notification of another instance that the log has grown. */
  hear(): void {
    if (this.#listeners.count > 0) this.wake();
  }

  settled(): Promise<void> {
    const look = (this.#next ??= createLook());
    this.wake();
    return look.done;
  }

  subscribe(resource: string, listener: SourceObserver, after?: string): () => void {
    const own = this.#listeners.open(resource, listener);
    if (after === undefined) this.#listeners.join(own);
    else {
      let name: string;
      void this.#replays.run(own, {
        start: () => offsetOf((name = this.#name), after),
        end: () => this.#offset,
        eventOf: (change) => this.#eventOf(change),
        join: (isComplete) => {
          if (!isComplete || name !== this.#name) {
            own.since = this.#offset;
            listener.next(this.#reset());
          }
          this.#listeners.join(own);
          // A listener that has read further than the others would receive the same changes again.
          if (own.since <= this.#offset) listener.caughtUp?.();
        },
      });
    }
    return () => this.#listeners.end(own);
  }

  /** Resolves when the last changes have been read, so that the other instances are notified of them. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    clearInterval(this.#pruner);
    this.#listeners.endAll();
    this.#next?.reject(new Error("The API is closed."));
    return this.#running;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#stopTimer();
    while (this.#isWanted) {
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
        // The store is closed too in that case.
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
    const wait = Math.min(poll * 2 ** this.#failures, Math.max(MAX_WAIT_MS, poll));
    // Randomized, so that instances that lost their database together don't retry at the same time.
    const spread = this.#failures === 0 ? 1 : 0.5 + Math.random() / 2;
    this.#stopTimer();
    this.#timer = this.#wakeAfter(wait * spread);
  }

  #wakeAfter(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      this.wake();
    }, milliseconds).unref();
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #readTo(head: LogHead): Promise<void> {
    if (this.#name !== head.name || this.#offset > head.offset) {
      const isFirst = this.#name === "";
      this.#name = head.name;
      this.#offset = head.offset;
      if (!isFirst) this.#listeners.pushAll(this.#reset());
    }
    while (this.#offset < head.offset && !this.#isClosed) {
      // Without listeners, skip the changes.
      if (this.#listeners.count === 0) this.#offset = head.offset;
      else await this.#readPage(head);
      if (this.#offset < head.offset) await eventLoopTurn();
    }
  }

  async #readPage(head: LogHead): Promise<void> {
    const page = await this.#changes.read({ after: this.#offset, limit: PAGE });
    if (page.kind === "page") {
      for (const change of page.changes) {
        this.#offset = change.offset;
        this.#listeners.push(change.draft.resource, change.offset, () => this.#eventOf(change));
      }
      this.#offset = page.offset;
    } else {
      // The changes were deleted before they were read here.
      this.#offset = head.offset;
      this.#listeners.pushAll(this.#reset());
    }
  }

  #eventOf({ offset, draft }: LoggedChange): ChangeMessage {
    return { id: eventId(this.#name, offset), ...draft };
  }

  #reset(): ChangeMessage {
    return { kind: "reset", id: eventId(this.#name, this.#offset) };
  }

  async #prune(): Promise<void> {
    try {
      await this.#changes.prune();
    } catch (thrown) {
      this.#options.log.warn("Old events could not be deleted. Retrying.", { cause: thrown });
    }
  }

  /** Logs the first failure only. */
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
  // Avoids an unhandled rejection if nothing awaits the promise.
  done.catch(() => {});
  return { done, ...(parts as unknown as Omit<Look, "done">) };
}
