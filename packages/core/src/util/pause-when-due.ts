import { eventLoopTurn } from "./event-loop-turn.ts";

/** Milliseconds of work in one turn of the event loop. */
const SLICE_MS = 8;
/** Number of pieces in one turn after which no more begin: the clock can't show how long their asynchronous parts take. */
const MAX_PIECES = 32;

let pieces = 0;
let until = 0;

/**
 * Returns undefined if more work of some pieces can begin now, or else a promise that resolves in a later turn of the
 * event loop. All callers share the time of a turn.
 */
export function pauseWhenDue(size = 1): Promise<void> | undefined {
  const now = performance.now();
  if (pieces === 0) {
    until = now + SLICE_MS;
    setImmediate(endTurn);
  }
  const isDue = pieces >= MAX_PIECES || now >= until;
  pieces += size;
  return isDue ? eventLoopTurn() : undefined;
}

function endTurn(): void {
  pieces = 0;
}
