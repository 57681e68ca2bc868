import type { Caller } from "../operation/run.ts";
import type { StoreContext } from "../store/store.ts";
import { LinkedList, type Link } from "../util/linked-list.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

const TICK = 100;

/** The end of one operation's time: `signal` aborts with it, or when the caller goes. */
export interface Deadline extends StoreContext {
  readonly signal: AbortSignal;
  /** The same result, unless the time is over before. */
  limit<T>(work: Promise<T>): Promise<T>;
  /** The same for a part of it, which is waited for no longer than the whole: code of the application may never settle. */
  untilOver<T>(work: MaybePromise<T>): MaybePromise<T>;
}

export type CreateDeadline = (caller: Caller) => Deadline;

/**
 * Deadlines that share one timer: an operation of microseconds should not pay for a timer of its own, nor for a
 * signal that no store looks at. They are late by up to a tenth of a second.
 */
export function createDeadlines(milliseconds: number): CreateDeadline {
  const clock = new Clock(milliseconds);
  return (caller) => new OperationDeadline(clock, caller);
}

interface Timed {
  readonly deadline: OperationDeadline;
  readonly until: number;
}

/** The operations that run, and when each has to be over: the first the soonest, as all have the same time. */
class Clock {
  readonly #running = new LinkedList<Timed>();
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  start(deadline: OperationDeadline, until: number): Link<Timed> {
    this.#timer ??= setInterval(() => this.#tick(), TICK).unref();
    return this.#running.add({ deadline, until });
  }

  /** When an operation that begins now has to be over. */
  end(): number {
    return performance.now() + this.#milliseconds;
  }

  stop(running: Link<Timed>): void {
    this.#running.remove(running);
  }

  #tick(): void {
    const now = performance.now();
    for (const { deadline, until } of this.#running.values()) {
      if (until > now) break;
      deadline.expire();
    }
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

class OperationDeadline implements Deadline {
  readonly #clock: Clock;
  readonly #caller: Caller;
  #running: Link<Timed> | undefined;
  #controller: AbortController | undefined;
  #callerSignal: AbortSignal | undefined;
  /** Computed on first use, because most operations end before. */
  #until: number | undefined;
  #expired: unknown;
  #onExpire: ((reason: unknown) => void) | undefined;
  #parts: Set<(reason: unknown) => void> | undefined;

  constructor(clock: Clock, caller: Caller) {
    this.#clock = clock;
    this.#caller = caller;
  }

  get signal(): AbortSignal {
    return (this.#controller ?? this.#connect()).signal;
  }

  /**
   * Of a caller that has gone only where somebody looks at the signal: what it asked for may as well be done. Looks at the
   * clock itself, because no timer runs while work keeps the event loop.
   */
  get isOver(): boolean {
    if (this.#expired === undefined && performance.now() >= (this.#until ??= this.#clock.end())) this.expire();
    return this.#expired !== undefined || this.#controller?.signal.aborted === true;
  }

  limit<T>(work: Promise<T>): Promise<T> {
    this.#running = this.#clock.start(this, (this.#until ??= this.#clock.end()));
    return new Promise((resolve, reject) => {
      this.#onExpire = reject;
      work.then(resolve, reject).finally(() => this.#end());
    });
  }

  untilOver<T>(work: MaybePromise<T>): MaybePromise<T> {
    if (!(work instanceof Promise)) return work;
    return new Promise((resolve, reject) => {
      if (this.#expired !== undefined) reject(this.#expired);
      const parts = (this.#parts ??= new Set());
      parts.add(reject);
      work.then(resolve, reject).finally(() => parts.delete(reject));
    });
  }

  expire(): void {
    this.#end();
    this.#expired = new DOMException("The operation timed out.", "TimeoutError");
    this.#controller?.abort(this.#expired);
    this.#onExpire?.(this.#expired);
    for (const reject of this.#parts ?? []) reject(this.#expired);
  }

  #end(): void {
    if (this.#running !== undefined) this.#clock.stop(this.#running);
    this.#callerSignal?.removeEventListener("abort", this);
  }

  #connect(): AbortController {
    const controller = new AbortController();
    this.#controller = controller;
    const { signal } = this.#caller;
    this.#callerSignal = signal;
    if (this.#expired !== undefined) controller.abort(this.#expired);
    else if (signal?.aborted === true) controller.abort(signal.reason);
    else signal?.addEventListener("abort", this, { once: true });
    return controller;
  }

  handleEvent(): void {
    this.#controller?.abort(this.#callerSignal?.reason);
  }
}
