import type { MaybePromise } from "../store.ts";

/** Serializes writers. */
export interface Turns {
  /** Runs `work` now, or after the running transaction. */
  readonly afterTurn: <T>(work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Runs `work` exclusively, after all earlier work. */
  readonly takeTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> | undefined;

  function takeTurn<T>(work: () => Promise<T>): Promise<T> {
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
    takeTurn,
    afterTurn: (work) => (last === undefined ? work() : takeTurn(async () => work())),
  };
}
