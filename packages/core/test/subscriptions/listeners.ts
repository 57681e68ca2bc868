import { MemoryLog } from "../../src/events/memory-log.ts";

/** The number of listeners of each log in this process. */
const counts = new Map<MemoryLog, number>();

// eslint-disable-next-line typescript/unbound-method -- Called with the log that it is a method of.
const { subscribe } = MemoryLog.prototype;

MemoryLog.prototype.subscribe = function (this: MemoryLog, ...args) {
  const end = subscribe.apply(this, args);
  counts.set(this, (counts.get(this) ?? 0) + 1);
  return () => {
    counts.set(this, (counts.get(this) ?? 0) - 1);
    end();
  };
};

/** Counts the listeners of the logs that are created from now on, those of the next API. */
export function countListeners(): () => number {
  const before = new Set(counts.keys());
  return () => [...counts].reduce((sum, [log, count]) => (before.has(log) ? sum : sum + count), 0);
}
