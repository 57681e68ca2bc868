import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/** First and longest pause between two attempts, in milliseconds. Each pause is twice as long as the one before. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [250, 15_000];

interface Failure {
  readonly cause: unknown;
  /** Until then, requests are rejected without another attempt. */
  readonly until: number;
}

/** A store with the resources that it holds. */
export interface Unopened {
  readonly store: Store;
  readonly resources: readonly ResourceModel[];
}

/**
 * Opens stores, and retries until all are open, because the tables may be created after the process has started. At
 * most one attempt runs at a time.
 */
export class StoreOpening {
  readonly #model: Model;
  readonly #log: Log;
  readonly #unopened: Set<Unopened>;
  #attempt: Promise<void> | undefined;
  #failure: Failure | undefined;
  #pause = MIN_PAUSE_MS;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #isStarted = false;
  /** Whether all stores are open. */
  isDone = false;

  constructor(model: Model, stores: readonly Unopened[], log: Log) {
    this.#model = model;
    this.#log = log;
    this.#unopened = new Set(stores);
  }

  /**
   * Starts an attempt, unless one is running or the last one has just failed. Rejects with UNAVAILABLE while the stores
   * cannot be opened. Returns undefined once all are open.
   */
  start(): Promise<void> | undefined {
    this.#isStarted = true;
    if (this.#attempt !== undefined || this.#unopened.size === 0) return this.#attempt;
    if (this.#failure !== undefined && this.#failure.until > performance.now()) return rejected(this.#error());
    return this.#tryAll();
  }

  #tryAll(): Promise<void> | undefined {
    const attempts = [...this.#unopened].flatMap((one) => this.#open(one) ?? []);
    if (attempts.length === 0) {
      this.isDone = true;
      return undefined;
    }
    const all = Promise.allSettled(attempts).then((results) => this.#settle(results));
    // Avoids an unhandled rejection if the caller ignores the promise.
    all.catch(() => {});
    this.#attempt = all;
    return all;
  }

  /** Settles with the current attempt, or immediately before the first attempt. */
  ready(): Promise<void> {
    return (this.#isStarted ? this.start() : undefined) ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#attempt?.catch(() => {});
  }

  #open(one: Unopened): Promise<void> | undefined {
    const opened: MaybePromise<void> = one.store.open(this.#model, one.resources);
    if (opened instanceof Promise) return opened.then(() => void this.#unopened.delete(one));
    this.#unopened.delete(one);
    return undefined;
  }

  #settle(results: readonly PromiseSettledResult<void>[]): void {
    this.#attempt = undefined;
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) {
      this.#fail(failed.reason);
      throw this.#error();
    }
    this.isDone = true;
    clearTimeout(this.#timer);
    if (this.#failure !== undefined) this.#log.info("All stores are open.");
    this.#failure = undefined;
  }

  #fail(cause: unknown): void {
    if (this.#failure === undefined || String(this.#failure.cause) !== String(cause)) {
      const details = isUnavailable(cause) ? { reason: reasonOf(cause) } : { cause };
      this.#log.error("A store could not be opened. Retrying.", details);
      this.#pause = MIN_PAUSE_MS;
    }
    const pause = this.#pause / 2 + (Math.random() * this.#pause) / 2;
    this.#pause = Math.min(this.#pause * 2, MAX_PAUSE_MS);
    // After a lost connection, the next request retries immediately. Missing tables take longer to appear.
    const until = isUnavailable(cause) ? 0 : performance.now() + pause;
    this.#failure = { cause, until };
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retry(), pause + 1).unref();
  }

  /** Doesn't look at the clock, because a timer can fire a moment too early, and no other would follow it. */
  #retry(): void {
    if (this.#attempt !== undefined || this.#isClosed) return;
    try {
      void this.#tryAll();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #error(): BifocalError {
    const { cause, until } = this.#failure as Failure;
    if (isUnavailable(cause)) return cause;
    const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1_000));
    return new BifocalError("UNAVAILABLE", "The database is unavailable. Try again in a few seconds.", {
      cause,
      headers: { "Retry-After": String(seconds) },
    });
  }
}

/** Returns the message of the first cause. The stack of a failed connection doesn't show its reason. */
function reasonOf(error: Error): string {
  const { cause } = error;
  const first = cause instanceof AggregateError ? (cause.errors[0] as unknown) : cause;
  return first instanceof Error && first.message !== "" ? reasonOf(first) : error.message;
}

function isUnavailable(thrown: unknown): thrown is BifocalError {
  return isBifocalError(thrown) && thrown.code === "UNAVAILABLE";
}

function rejected(error: BifocalError): Promise<never> {
  const failed = Promise.reject(error);
  failed.catch(() => {});
  return failed;
}
