import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { StoreLoad } from "../store/store.ts";
import { type LoopDelay, watchEventLoop } from "./event-loop-delay.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/** Refuses what is new while there is more to do than can be done, so that what has begun is finished. */
export interface Overload {
  /** UNAVAILABLE with `Retry-After`, before any work; undefined where there is room. */
  readonly refusal: () => BifocalError | undefined;
  /** Counts a piece of work until it is done. */
  readonly during: <T>(work: () => MaybePromise<T>) => MaybePromise<T>;
  /** How many operations wait for a connection of the store with the most. */
  readonly storeWaiting: () => number;
  /** The same, when a request was last let in. */
  readonly lastStoreWaiting: () => number;
  /** Whether something is not done yet. */
  readonly isBusy: () => boolean;
  /** From now on all that is new is refused. */
  readonly stop: () => void;
}

/** `loads`: of the stores that can tell. */
export function createOverload(limits: Limits, loads: readonly (() => StoreLoad)[]): Overload {
  const { eventLoopDelay, inFlight: most, storeQueue, storeWait } = limits;
  let loop: LoopDelay | undefined;
  let inFlight = 0;
  let isStopped = false;
  const leave = (): void => void inFlight--;
  let lastWaiting = 0;
  const isWaitedFor = (): boolean => {
    lastWaiting = 0;
    return loads.some((load) => {
      const { waiting, longest } = load();
      lastWaiting = Math.max(lastWaiting, waiting);
      return waiting > storeQueue || longest > storeWait;
    });
  };
  return {
    refusal() {
      if (isStopped) return closed();
      if (inFlight >= most) return overloaded();
      if (isWaitedFor()) return overloaded();
      if (eventLoopDelay === Number.POSITIVE_INFINITY) return undefined;
      // From the first request on: what an application does before is no load.
      loop ??= watchEventLoop();
      return loop.milliseconds() > eventLoopDelay ? overloaded() : undefined;
    },
    during(work) {
      inFlight++;
      try {
        const done = work();
        if (done instanceof Promise) return done.finally(leave);
        leave();
        return done;
      } catch (thrown) {
        leave();
        throw thrown;
      }
    },
    storeWaiting: () => loads.reduce((most, load) => Math.max(most, load().waiting), 0),
    lastStoreWaiting: () => lastWaiting,
    isBusy: () => inFlight > 0,
    stop() {
      isStopped = true;
      loop?.stop();
    },
  };
}

/** For what would have to wait behind too much. */
export function overloaded(): BifocalError {
  return later("The server is overloaded. Try again in a few seconds.");
}

/** For what comes too late to be done. */
export function closed(): BifocalError {
  return later("The server is shutting down. Try again in a few seconds.");
}

/** One to five seconds, so that those who were refused together don't come back together. */
function later(message: string): BifocalError {
  const headers = { "Retry-After": String(1 + Math.floor(Math.random() * 5)) };
  return new BifocalError("UNAVAILABLE", message, { headers });
}
