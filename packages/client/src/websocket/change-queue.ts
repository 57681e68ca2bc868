import type { ReceivedChange } from "../watch.ts";

/** A loop that falls behind by more changes resumes after the last one that it read. */
const MAX_WAITING = 10_000;

export interface ChangeQueue extends AsyncIterable<ReceivedChange> {
  /** Returns false if too many changes are waiting. */
  readonly put: (change: ReceivedChange) => boolean;
  /** Ends the iteration after the waiting changes: with an error, if there is one. */
  readonly end: (error?: unknown) => void;
}

/** Holds changes until they are read, because messages of a WebSocket can't be delayed. */
export function createChangeQueue(): ChangeQueue {
  const waiting: ReceivedChange[] = [];
  let ending: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  return {
    put(change) {
      if (ending === undefined) waiting.push(change);
      wake();
      return waiting.length < MAX_WAITING;
    },
    end(error) {
      ending ??= { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (waiting.length > 0) continue;
        if (ending?.error !== undefined) throw ending.error;
        if (ending !== undefined) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
