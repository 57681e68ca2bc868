import { eventLoopTurn } from "../../util/event-loop-turn.ts";
import { type MaybePromise } from "../../util/maybe-promise.ts";
import { SLICE } from "./reading.ts";

/**
 * Lets other work run between the steps of a transaction, which would otherwise follow each other in a single turn.
 */
export function createPauses(): { readonly whenDue: <T>(work: () => MaybePromise<T>) => MaybePromise<T> } {
  let until = performance.now() + SLICE;
  return {
    whenDue(work) {
      if (performance.now() < until) return work();
      return eventLoopTurn().then(() => {
        until = performance.now() + SLICE;
        return work();
      });
    },
  };
}
