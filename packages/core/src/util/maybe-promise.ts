/** What is there already, or comes later. Most answers from memory need no turn of the event loop, so they take none. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value now if it is there, else when it comes. */
export function thenNow<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- `next` is no callback: it is what comes next.
  return value instanceof Promise ? value.then(next) : next(value);
}

/** All values, at once where all are there. */
export function allNow<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** Turns what goes wrong into a value, now or when it does. */
export function catchNow<T>(work: () => MaybePromise<T>, recover: (thrown: unknown) => T): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(recover) : value;
  } catch (thrown) {
    return recover(thrown);
  }
}
