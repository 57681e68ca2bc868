/** The number of all watchers of an engine. */
export interface Crowd {
  size: number;
}

/** Number of watchers that may read again at the same moment. */
const FEW = 10;
/** Milliseconds per watcher, and maximum for all of them. */
const [MS_PER_WATCHER, MAX_MS] = [10, 10_000];

/** Returns the milliseconds over which resets are spread, so that clients don't all read again at the same moment. */
export function spreadOf({ size }: Crowd): number {
  return size <= FEW ? 0 : Math.min(size * MS_PER_WATCHER, MAX_MS);
}
