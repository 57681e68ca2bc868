import type { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpLimits } from "../limits/limits.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import { RoundRobin } from "./round-robin.ts";

/** Milliseconds of work in one turn of the event loop before it handles other events. */
const SLICE = 8;
/**
 * Milliseconds between the end of a turn whose length was measured and the start of the next one. Noticing the end of a
 * turn costs Bun more than ten readings of the clock, so not each turn is measured.
 */
const REST = 1;
/**
 * Number of operations between two readings of the clock. A reading takes about 1 % of the time of a small operation.
 */
const LOOK_EVERY = 4;
/** Number of looks between two microtasks, whose absence shows that operations begin in one task. */
const MARK_EVERY = 4;
/**
 * Number of operations that may wait for a store's connection before further ones wait here. It suffices to keep the
 * connections busy.
 */
const STORE_BACKLOG = 8;
/** Milliseconds between two checks of a busy store. */
const PAUSE = 2;
/** Milliseconds after which the pace of a busy store is known. Until then, as many may wait as for the process. */
const PACE_KNOWN = 100;
/** Milliseconds after which the pace of before counts half. */
const PACE_AGED = 1_000;

interface Turn {
  readonly since: number;
  /** Returns whether the operation is asynchronous. */
  readonly start: () => boolean;
  readonly refuse: () => void;
}

export interface FairTurnsOptions extends Pick<HttpLimits, "inFlight" | "storeQueue" | "storeWait"> {
  /**
   * Returns the number of operations that wait for a store's connection: now, and when the last request was admitted.
   */
  readonly storeWaiting: () => number;
  readonly lastStoreWaiting: () => number;
  /** Whether any store reports its load. */
  readonly hasLoads: boolean;
  readonly refusal: () => BifocalError;
}

/**
 * Runs operations immediately while there is capacity. While the process or a store is saturated, operations wait, and
 * callers take turns: a caller with 200 operations delays another one by a single turn. If too many operations wait,
 * the newest one of the caller with the most is rejected.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #waiting = new RoundRobin<Turn>();
  /** Whether the end of this turn of the event loop is awaited. */
  #isWatched = false;
  /** When that began, or when the last such turn ended. */
  #since = Number.NEGATIVE_INFINITY;
  #untilLook = LOOK_EVERY;
  /** Whether no microtask has run since the last mark. */
  #isBurst = false;
  #untilMark = MARK_EVERY;
  #isScheduled = false;
  /** Since when operations have waited without a break, and how many of them have begun. */
  #paceSince = 0;
  #begun = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /** Rejects with UNAVAILABLE if the operation is refused. Calls `callerOf` only if the operation has to wait. */
  run<T>(callerOf: () => string, work: () => MaybePromise<T>): MaybePromise<T> {
    return this.isFree() ? work() : this.wait(callerOf(), work);
  }

  /** Whether an operation that begins now doesn't have to wait. Counts it as begun. */
  isFree(): boolean {
    return this.#waiting.size === 0 && !this.#isSliceOver() && !this.#wasStoreFull();
  }

  #isSliceOver(): boolean {
    if ((this.#isWatched || this.#isBurst) && --this.#untilLook > 0) return false;
    this.#untilLook = LOOK_EVERY;
    // Pipelined requests begin in one task, so the clock can't show how long their asynchronous parts will take.
    if (this.#isBurst) return true;
    if (--this.#untilMark <= 0) {
      this.#untilMark = MARK_EVERY;
      this.#isBurst = true;
      queueMicrotask(this.#endBurst);
    }
    const now = performance.now();
    if (this.#isWatched) return now - this.#since > SLICE;
    if (now - this.#since < REST) return false;
    this.#isWatched = true;
    this.#since = now;
    setImmediate(this.#endSlice);
    return false;
  }

  readonly #endSlice = (): void => {
    this.#isWatched = false;
    this.#since = performance.now();
  };

  readonly #endBurst = (): void => {
    this.#isBurst = false;
  };

  #wasStoreFull(): boolean {
    return this.#options.lastStoreWaiting() >= STORE_BACKLOG;
  }

  #isStoreFull(): boolean {
    return this.#options.storeWaiting() >= STORE_BACKLOG;
  }

  /** Runs an operation when it is the turn of its caller. Rejects with UNAVAILABLE if it is refused. */
  wait<T>(caller: string, work: () => MaybePromise<T>): Promise<T> {
    const { inFlight, storeWait, refusal } = this.#options;
    const isStore = this.#isStoreFull();
    const oldest = this.#waiting.oldestOf(caller);
    const since = performance.now();
    if (isStore && oldest !== undefined && since - oldest.since > storeWait) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const start = (): boolean => {
        try {
          const result = work();
          resolve(result);
          return result instanceof Promise;
        } catch (thrown) {
          reject(thrown);
          return false;
        }
      };
      if (this.#waiting.size === 0) {
        this.#paceSince = since;
        this.#begun = 0;
      }
      this.#waiting.add(caller, { since, start, refuse: () => reject(refusal()) });
      if (this.#waiting.size > (isStore ? this.#mostForStore(since) : inFlight / 2))
        this.#waiting.dropFromLongest()?.refuse();
      this.#schedule(0);
    });
  }

  /** As many operations may wait for a store as it begins within `storeWait` at its pace, and always `storeQueue`. */
  #mostForStore(now: number): number {
    const { inFlight, storeQueue, storeWait } = this.#options;
    const passed = now - this.#paceSince;
    const begins = this.#begun === 0 ? 0 : (this.#begun / passed) * storeWait;
    const most = passed < PACE_KNOWN ? inFlight / 2 : Math.min(inFlight / 2, begins);
    if (passed > PACE_AGED) {
      this.#paceSince += passed / 2;
      this.#begun /= 2;
    }
    return Math.max(storeQueue, most);
  }

  #schedule(time: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (time === 0) setImmediate(this.#takeTurns);
    else setTimeout(this.#takeTurns, time);
  }

  readonly #takeTurns = (): void => {
    this.#isScheduled = false;
    const since = performance.now();
    // Operations reach their store with a delay, so only a few start before its load is checked again.
    const most = this.#options.hasLoads ? STORE_BACKLOG : Number.POSITIVE_INFINITY;
    let started = 0;
    while (this.#waiting.size > 0 && started < most && !this.#isStoreFull()) {
      const isAsync = this.#waiting.take()?.start();
      started += 1;
      // Without stores that report their load, asynchronous work is done by this process, after this function.
      if ((isAsync && !this.#options.hasLoads) || performance.now() - since > SLICE) break;
    }
    this.#begun += started;
    if (this.#isStoreFull()) {
      const most = this.#mostForStore(since);
      while (this.#waiting.size > most) this.#waiting.dropFromLongest()?.refuse();
    }
    if (this.#waiting.size > 0) this.#schedule(started === 0 ? PAUSE : 0);
  };
}
