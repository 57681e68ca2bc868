import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { StoreLoad } from "../store/store.ts";
import { type LoopDelay, watchEventLoop } from "./event-loop-delay.ts";

/** Rejects new work while the server is overloaded, so that running work can finish. */
export interface Overload {
  /** Returns UNAVAILABLE with `Retry-After` before any work is done, or undefined if there is capacity. */
  readonly refusal: () => BifocalError | undefined;
  /** Counts a piece of work, until `leave` is called. */
  readonly enter: () => void;
  readonly leave: () => void;
  /** Counts a piece of work until its promise settles. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Returns the number of operations that wait for a connection, for the store where it is highest. */
  readonly storeWaiting: () => number;
  /** Returns the same number at the time when the last request was admitted. */
  readonly lastStoreWaiting: () => number;
  /** Whether any work is still running. */
  readonly isBusy: () => boolean;
  /** Rejects all new work from now on. */
  readonly stop: () => void;
}

/** @param loads - functions that return the load of a store, for the stores that report it */
export function createOverload(limits: Limits, loads: readonly (() => StoreLoad)[]): Overload {
  const { eventLoopDelay, inFlight: most, storeQueue, storeWait } = limits.http;
  let loop: LoopDelay | undefined;
  let inFlight = 0;
  let isStopped = false;
  let lastWaiting = 0;
  const isWaitedFor = (): boolean => {
    lastWaiting = 0;
    for (const load of loads) {
      const { waiting, longest } = load();
      lastWaiting = Math.max(lastWaiting, waiting);
      if (waiting > storeQueue || longest > storeWait) return true;
    }
    return false;
  };
  return {
    refusal() {
      if (isStopped) return closed();
      if (inFlight >= most) return overloaded();
      if (isWaitedFor()) return overloaded();
      if (eventLoopDelay === Number.POSITIVE_INFINITY) return undefined;
      // Start with the first request, so that work of the application before it doesn't count as load.
      loop ??= watchEventLoop();
      return loop.watch.delay > eventLoopDelay ? overloaded() : undefined;
    },
    enter: () => void inFlight++,
    leave: () => void inFlight--,
    async during(work) {
      inFlight++;
      try {
        return await work();
      } finally {
        inFlight--;
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

/** The error for work that would have to wait too long. */
export function overloaded(): BifocalError {
  return later("The server is overloaded. Try again in a few seconds.");
}

/** The error for work that arrives while the API is closing. */
export function closed(): BifocalError {
  return later("The server is shutting down. Try again in a few seconds.");
}

/** Adds a random delay of 1 to 5 seconds, so that rejected clients don't all retry at the same time. */
function later(message: string): BifocalError {
  const headers = { "Retry-After": String(1 + Math.floor(Math.random() * 5)) };
  return new BifocalError("UNAVAILABLE", message, { headers });
}
