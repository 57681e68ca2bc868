const waiting: (() => void)[] = [];
let isScheduled = false;

/**
 * Resolves in a later turn of the event loop. One waiter goes on in each turn, so that a hundred long reads delay a
 * short one no more than one of them does.
 */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
    if (waiting.length > 0) schedule();
  });
}
