import type { Observer } from "../../operation/observer.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import { keyToken } from "../../operation/key.ts";
import type { Change, ChangeStream } from "../../operation/outcome.ts";
import type { Caller } from "../../operation/run.ts";
import type { SubscriptionWatch } from "../../telemetry/telemetry.ts";
import { waitForDrain } from "../../util/drain-signal.ts";
import { onEnd } from "../../operation/validity.ts";
import type { Log } from "../../util/log.ts";
import type { Current } from "./opening.ts";
import { RowChange } from "./read-change.ts";

const MAX_WAITING = 1_000;

type Result = IteratorResult<Change, undefined>;

/** The source of a watcher's changes. */
export interface Source {
  readonly leave: (watcher: Watcher) => void;
}

interface DelayedReset {
  /** Id of the last change that it replaces. */
  id: string;
  readonly timer: NodeJS.Timeout;
}

/**
 * The changes of one subscriber. If it reads too slowly, the waiting changes are dropped and replaced by a `reset`. The
 * class has few fields and no closures, because there are thousands of mostly idle instances.
 */
export class Watcher implements ChangeStream {
  readonly #expires: number | undefined;
  #signal: AbortSignal | undefined;
  readonly #log: Log;
  #source: Source | undefined;
  #waiting: Change[] | undefined;
  #wake: { readonly resolve: (result: Result) => void; readonly reject: (error: BifocalError) => void } | undefined;
  #listener: Observer<Change> | undefined;
  /** Pending while the listener's buffer is full. */
  #pause: Promise<void> | undefined;
  #shown: Map<string, string> | undefined;
  #forget: (() => void) | undefined;
  #delayed: DelayedReset | undefined;
  #error: BifocalError | undefined;
  #isOver = false;
  #watch: SubscriptionWatch | undefined;

  constructor(caller: Caller, log: Log, watch: SubscriptionWatch | undefined) {
    // Keeping the caller would keep its whole request in memory.
    this.#expires = caller.expires;
    this.#log = log;
    this.#watch = watch;
    const { signal } = caller;
    if (signal?.aborted === true) this.#close();
    else if (signal !== undefined) {
      this.#signal = signal;
      signal.addEventListener("abort", this, { once: true });
    }
    this.#forget = onEnd(caller, () => this.end(expired()));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get watch(): SubscriptionWatch | undefined {
    return this.#watch;
  }

  set source(source: Source) {
    this.#source = source;
  }

  /**
   * Sends the initial state, with the version of each row by its key. A later message with the same version is skipped.
   */
  start({ changes, versions }: Current): void {
    this.#shown = versions;
    for (const change of changes) this.#hand(change);
  }

  /** `spread`: a reset is delivered at a random moment within this many milliseconds. */
  deliver(change: Change, spread = 0): void {
    if (this.#isOver || this.#isShown(change)) return;
    if (this.#delayed !== undefined && change.kind !== "current") {
      // The client reads again after the reset, which includes this change.
      this.#delayed.id = change.id;
      return;
    }
    if (change.kind === "reset" && spread > 0) {
      const timer = setTimeout(() => this.#endDelay(), Math.random() * spread).unref();
      this.#delayed = { id: change.id, timer };
      return;
    }
    // The timer may fire late, but an expired credential must receive nothing.
    if (this.#expires !== undefined && this.#expires <= Date.now()) this.end(expired());
    else if ((this.#waiting?.length ?? 0) >= MAX_WAITING && change.kind !== "current") {
      this.#waiting = [{ kind: "reset", id: change.id }];
    } else this.#hand(change);
  }

  /** Ends the stream from the source's side. */
  end(error?: BifocalError): void {
    if (this.#isOver) return;
    this.#error = error;
    if (error !== undefined) this.#waiting = undefined;
    this.#close();
    const [listener, wake] = [this.#listener, this.#wake];
    this.#wake = undefined;
    if (listener !== undefined) this.#handOver(listener);
    listener?.end(error);
    if (error === undefined) wake?.resolve({ done: true, value: undefined });
    else if (wake !== undefined) wake.reject(this.#takeError() as BifocalError);
  }

  listen(listener: Observer<Change>): void {
    this.#listener = listener;
    this.#handOver(listener);
    if (this.#isOver) listener.end(this.#takeError());
  }

  ignoreSignal(): void {
    this.#signal?.removeEventListener("abort", this);
    this.#signal = undefined;
  }

  /** Waits until the listener can take more; undefined if it can. */
  drain(): Promise<void> | undefined {
    return this.#pause ?? this.#listener?.drain?.();
  }

  next(): Promise<Result> {
    const change = this.#waiting?.shift();
    if (change !== undefined) return Promise.resolve({ done: false, value: change });
    const error = this.#takeError();
    if (error !== undefined) return Promise.reject(error);
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#wake = { resolve, reject };
    });
  }

  return(): Promise<Result> {
    this.#waiting = undefined;
    this.#error = undefined;
    this.#close();
    this.#wake?.resolve({ done: true, value: undefined });
    this.#wake = undefined;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Called when the client disconnects. */
  handleEvent(): void {
    void this.return();
    this.#listener?.end(undefined);
  }

  #endDelay(): void {
    const { id } = this.#delayed as DelayedReset;
    this.#delayed = undefined;
    this.deliver({ kind: "reset", id });
  }

  #hand(change: Change): void {
    this.#watch?.delivered(change.kind);
    if (this.#wake !== undefined) {
      const { resolve } = this.#wake;
      this.#wake = undefined;
      resolve({ done: false, value: change });
    } else if (this.#listener !== undefined && this.#waiting === undefined) this.#give(this.#listener, change);
    else (this.#waiting ??= []).push(change);
  }

  #give(listener: Observer<Change>, change: Change): void {
    try {
      listener.next(change);
    } catch (thrown) {
      this.#log.error("Delivering a change to a subscriber failed. The subscription was ended.", { cause: thrown });
      this.end(new BifocalError("INTERNAL", "Something went wrong on the server."));
    }
  }

  /**
   * Delivers the waiting changes at the reader's pace, because it has no control over their number. Returns at once
   * after the last one.
   */
  #handOver(listener: Observer<Change>): void {
    this.#pause = undefined;
    for (let change = this.#waiting?.shift(); change !== undefined; change = this.#waiting?.shift()) {
      this.#give(listener, change);
      const drain = this.#isOver || this.#waiting?.length === 0 ? undefined : listener.drain?.();
      if (drain !== undefined) {
        this.#pause = waitForDrain(drain).then(() => this.#handOver(listener));
        return;
      }
    }
    this.#waiting = undefined;
  }

  #isShown(change: Change): boolean {
    if (this.#shown === undefined || change.kind === "reset") return false;
    const token = keyToken(change.key);
    const shown = this.#shown.get(token);
    if (shown === undefined) return false;
    if (change.kind !== "deleted" && shown === RowChange.versionOf(change)) return true;
    this.#shown.delete(token);
    return false;
  }

  #close(): void {
    this.#isOver = true;
    this.#shown = undefined;
    clearTimeout(this.#delayed?.timer);
    this.#watch?.end();
    this.#watch = undefined;
    this.#forget?.();
    this.ignoreSignal();
    const source = this.#source;
    this.#source = undefined;
    source?.leave(this);
  }

  #takeError(): BifocalError | undefined {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }
}

function expired(): BifocalError {
  return new BifocalError("UNAUTHENTICATED", "The credential has expired.");
}
