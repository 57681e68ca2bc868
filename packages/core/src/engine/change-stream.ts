import type { Bus, BusMessage } from "../events/bus.ts";

const MOST_WAITING = 1_000;

/** Messages of a bus as an iterator. One who reads too slowly loses the oldest, and is told so by a `reset`. */
export function readBus(
  bus: Bus,
  resource: string,
  after: string | undefined,
  signal: AbortSignal | undefined,
): AsyncIterableIterator<BusMessage> {
  const waiting: BusMessage[] = [];
  let wake: ((result: IteratorResult<BusMessage>) => void) | undefined;
  let isOver = false;
  const unsubscribe = bus.subscribe(
    resource,
    (message) => {
      if (wake !== undefined) {
        const resolve = wake;
        wake = undefined;
        resolve({ done: false, value: message });
      } else if (waiting.length < MOST_WAITING) waiting.push(message);
      else {
        waiting.length = 0;
        waiting.push({ kind: "reset", id: message.id });
      }
    },
    after,
  );
  function end(): void {
    if (isOver) return;
    isOver = true;
    unsubscribe();
    signal?.removeEventListener("abort", end);
    waiting.length = 0;
    wake?.({ done: true, value: undefined });
    wake = undefined;
  }
  if (signal?.aborted === true) end();
  else signal?.addEventListener("abort", end, { once: true });
  return {
    next() {
      const message = waiting.shift();
      if (message !== undefined) return Promise.resolve({ done: false, value: message });
      if (isOver) return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    return() {
      end();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
