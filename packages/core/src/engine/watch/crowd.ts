/** All watchers of an engine. */
export interface Crowd {
  size: number;
}

/** Watchers that may read again at the same moment. */
const FEW = 10;
/** Milliseconds for each watcher, and for all of them. */
const [EACH, LONGEST] = [10, 10_000];

/** Milliseconds over which resets are spread, so that clients do not all read again at the same moment. */
export function spreadOf({ size }: Crowd): number {
  return size <= FEW ? 0 : Math.min(size * EACH, LONGEST);
}
