const waiting: (() => void)[] = [];
let isScheduled = false;

/**
 * Resolves in a later turn of the event loop. Each turn continues a single waiting read, so that a hundred long reads
 * delay a short one only by the time slice of one of them.
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
