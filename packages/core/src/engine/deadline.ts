import type { Caller } from "../operation/run.ts";
import type { StoreContext } from "../store/store.ts";
import { LinkedList, type Link } from "../util/linked-list.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

const TICK = 100;

/** The deadline of one operation. `signal` aborts when it passes or when the client disconnects. */
export interface Deadline extends StoreContext {
  readonly signal: AbortSignal;
  /** Set once the caller's rows are known. */
  tenants: StoreContext["tenants"];
  /** Returns the result of `work`, or rejects when the deadline passes. */
  limit<T>(work: Promise<T>): Promise<T>;
  /** The same for a part of the operation, because application code may never settle. */
  untilOver<T>(work: MaybePromise<T>): MaybePromise<T>;
}

export type CreateDeadline = (caller: Caller) => Deadline;

/**
 * Creates deadlines that share one timer, because short operations should not pay for a timer and a signal each. They
 * fire up to a tenth of a second late.
 */
export function createDeadlines(milliseconds: number): CreateDeadline {
  const clock = new Clock(milliseconds);
  return (caller) => new OperationDeadline(clock, caller);
}

interface Timed {
  readonly deadline: OperationDeadline;
  readonly until: number;
}

/** The running operations with their deadlines. All have the same timeout, so the first entry expires first. */
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

  /** Returns the deadline of an operation that begins now. */
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
  tenants: StoreContext["tenants"];
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
   * Whether the deadline has passed. A disconnected client only counts if the signal is in use; otherwise the work may
   * as well finish. Reads the clock, because no timer fires while work occupies the event loop.
   */
  get isOver(): boolean {
    // The first check starts the deadline, so it reads the clock only once.
    if (this.#until === undefined) this.#until = this.#clock.end();
    else if (this.#expired === undefined && performance.now() >= this.#until) this.expire();
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
    const onExpire = this.#onExpire;
    this.#end();
    this.#expired = new DOMException("The operation timed out.", "TimeoutError");
    this.#controller?.abort(this.#expired);
    onExpire?.(this.#expired);
    for (const reject of this.#parts ?? []) reject(this.#expired);
  }

  #end(): void {
    if (this.#running !== undefined) this.#clock.stop(this.#running);
    // A deadline in the old generation of the heap would keep the result until the next full collection.
    this.#onExpire = undefined;
    this.#callerSignal?.removeEventListener("abort", this);
  }

  #connect(): AbortController {
    const controller = new AbortController();
    this.#controller = controller;
    const { signal } = this.#caller;
    this.#callerSignal = signal;
    if (this.#expired !== undefined) controller.abort(this.#expired);
    else if (signal?.aborted === true) controller.abort(abortReason(signal));
    else signal?.addEventListener("abort", this, { once: true });
    return controller;
  }

  handleEvent(): void {
    if (this.#callerSignal !== undefined) this.#controller?.abort(abortReason(this.#callerSignal));
  }
}

/** Hosts abort the requests of disconnected clients with reasons of their own. */
function abortReason({ reason }: AbortSignal): unknown {
  const isStandard = reason instanceof Error && /^(?:Abort|Timeout)Error$/.test(reason.name);
  return isStandard ? reason : new DOMException("The caller aborted the operation.", "AbortError");
}
