import { eventLoopTurn } from "../../util/event-loop-turn.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import type { Evaluation } from "../evaluation.ts";
import type { StoreContext } from "../store.ts";

/** A read in steps: each call continues after the last one, and returns the result when it is complete. */
export type Reading<T> = () => T | undefined;

/** Milliseconds for which a read occupies the event loop at a time. */
export const SLICE = 10;
/** After this many restarts because of writes, a read finishes without pauses. */
const MAX_RESTARTS = 2;

export interface ReadSource {
  readonly context: StoreContext;
  readonly createEvaluation: () => Evaluation;
  /** Changes with every write that the read could see. */
  readonly version: () => number;
}

/**
 * Runs a short read at once and a long one in slices. A read that is interrupted by a write starts over, so that it
 * never returns a mix of two states.
 */
export function runReading<T>(source: ReadSource, start: (evaluation: Evaluation) => Reading<T>): MaybePromise<T> {
  const evaluation = source.createEvaluation();
  const reading = start(evaluation);
  const result = reading() ?? advance(reading, evaluation);
  return result ?? finish(source, start, reading, evaluation, source.version());
}

/** Continues for one slice. */
function advance<T>(reading: Reading<T>, evaluation: Evaluation): T | undefined {
  const until = performance.now() + SLICE;
  let result: T | undefined;
  do {
    evaluation.resume();
    result = reading();
  } while (result === undefined && performance.now() < until);
  return result;
}

async function finish<T>(
  { context, createEvaluation, version }: ReadSource,
  start: (evaluation: Evaluation) => Reading<T>,
  begun: Reading<T>,
  first: Evaluation,
  begin: number,
): Promise<T> {
  let [reading, evaluation, seen] = [begun, first, begin];
  for (let restarts = 0; restarts <= MAX_RESTARTS; ) {
    await eventLoopTurn();
    context.signal?.throwIfAborted();
    if (version() !== seen) {
      restarts++;
      seen = version();
      evaluation = createEvaluation();
      reading = start(evaluation);
    }
    const result = advance(reading, evaluation);
    if (result !== undefined) return result;
  }
  return finishNow(reading, evaluation);
}

function finishNow<T>(reading: Reading<T>, evaluation: Evaluation): T {
  for (;;) {
    evaluation.resume();
    const result = reading();
    if (result !== undefined) return result;
  }
}
