import type { MaybePromise } from "../store.ts";

/** Serializes writers. */
export interface Mutex {
  readonly isFree: () => boolean;
  /** Runs `work` now, or after the running transaction. */
  readonly runWhenFree: <T>(work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Runs `work` exclusively, after all earlier work. */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createMutex(): Mutex {
  let last: Promise<unknown> | undefined;

  function runExclusive<T>(work: () => Promise<T>): Promise<T> {
    const turn = last === undefined ? work() : last.then(work);
    const settled = turn.then(
      () => {},
      () => {},
    );
    last = settled;
    void settled.then(() => {
      if (last === settled) last = undefined;
    });
    return turn;
  }
  return {
    isFree: () => last === undefined,
    runExclusive,
    runWhenFree: (work) => (last === undefined ? work() : runExclusive(async () => work())),
  };
}
