import type { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import { RoundRobin } from "./round-robin.ts";

/** Milliseconds of work in one turn of the event loop, before it looks at what else has arrived. */
const SLICE = 8;
/** Operations between two readings of the clock, which take as long as a hundredth of a small operation. */
const LOOK_EVERY = 4;
/** Operations that wait for a connection of a store before others wait here: enough to keep its connections busy. */
const STORE_BACKLOG = 8;
/** Milliseconds between looks at a store that is busy with something else. */
const PAUSE = 2;

interface Turn {
  readonly since: number;
  readonly start: () => void;
  readonly refuse: () => void;
}

export interface FairTurnsOptions extends Pick<Limits, "inFlight" | "storeQueue" | "storeWait"> {
  /** How many operations wait for a connection of a store: now, and when a request was last let in. */
  readonly storeWaiting: () => number;
  readonly lastStoreWaiting: () => number;
  /** Whether a store can tell. */
  readonly hasLoads: boolean;
  readonly refusal: () => BifocalError;
}

/**
 * Lets operations run at once while there is room. While the process or a store is saturated they wait, and callers take turns:
 * a caller with two hundred operations delays another one by a turn, and not by two hundred. If too many wait, the newest of
 * the caller with the most is refused.
 */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  readonly #waiting = new RoundRobin<Turn>();
  /** When the first operation of this turn of the event loop began; undefined before it. */
  #sliceStart: number | undefined;
  #untilLook = LOOK_EVERY;
  #isScheduled = false;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /** Rejects with UNAVAILABLE if the operation was refused. `callerOf` is only called if it must wait. */
  run<T>(callerOf: () => string, work: () => MaybePromise<T>): MaybePromise<T> {
    if (this.#waiting.size > 0 || this.#isSliceOver() || this.#wasStoreFull()) return this.#wait(callerOf(), work);
    return work();
  }

  #isSliceOver(): boolean {
    if (this.#sliceStart === undefined) {
      this.#sliceStart = performance.now();
      this.#untilLook = LOOK_EVERY;
      setImmediate(this.#endSlice);
      return false;
    }
    if (--this.#untilLook > 0) return false;
    this.#untilLook = LOOK_EVERY;
    return performance.now() - this.#sliceStart > SLICE;
  }

  readonly #endSlice = (): void => {
    this.#sliceStart = undefined;
  };

  #wasStoreFull(): boolean {
    return this.#options.lastStoreWaiting() >= STORE_BACKLOG;
  }

  #isStoreFull(): boolean {
    return this.#options.storeWaiting() >= STORE_BACKLOG;
  }

  #wait<T>(caller: string, work: () => MaybePromise<T>): Promise<T> {
    const { inFlight, storeQueue, storeWait, refusal } = this.#options;
    const isStore = this.#isStoreFull();
    const oldest = this.#waiting.oldestOf(caller);
    const since = performance.now();
    if (isStore && oldest !== undefined && since - oldest.since > storeWait) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      const start = (): void => {
        try {
          resolve(work());
        } catch (thrown) {
          reject(thrown);
        }
      };
      this.#waiting.add(caller, { since, start, refuse: () => reject(refusal()) });
      if (this.#waiting.size > (isStore ? storeQueue : inFlight / 2)) this.#waiting.dropFromLongest()?.refuse();
      this.#schedule(0);
    });
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
    // Operations reach their store a little after they begin, so only a few begin before its load is read again.
    const most = this.#options.hasLoads ? STORE_BACKLOG : Number.POSITIVE_INFINITY;
    let started = 0;
    while (this.#waiting.size > 0 && started < most && !this.#isStoreFull()) {
      this.#waiting.take()?.start();
      started += 1;
      if (performance.now() - since > SLICE) break;
    }
    if (this.#waiting.size > 0) this.#schedule(started === 0 ? PAUSE : 0);
  };
}
