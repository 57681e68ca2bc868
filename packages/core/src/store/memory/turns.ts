import type { MaybePromise } from "../store.ts";

/** Lets writers take turns. */
export interface Turns {
  /** Does `work` now, or, where a transaction is under way, after it. */
  readonly afterTurn: <T>(work: () => MaybePromise<T>) => MaybePromise<T>;
  /** Does `work` alone, after all before it. */
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
