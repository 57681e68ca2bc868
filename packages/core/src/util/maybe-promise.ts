/**
 * A value or a promise of it. Most results from memory are available at once, so they need no turn of the event loop.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` at once if the value is available, and otherwise when it resolves. */
export function mapMaybePromise<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- `next` is no callback: it is what comes next.
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns all values, synchronously if all are available. */
export function allMaybePromises<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** Converts an error to a value, whether `work` throws or rejects. */
export function catchMaybePromise<T>(work: () => MaybePromise<T>, recover: (thrown: unknown) => T): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (thrown) {
    return recover(thrown);
  }
}
