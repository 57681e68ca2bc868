/** Holds the newest value for one reader. A slow reader skips the values in between. */
export interface Latest<T> {
  readonly put: (value: T) => void;
  readonly end: () => void;
  readonly fail: (error: unknown) => void;
  readonly next: () => Promise<IteratorResult<T, undefined>>;
}

/** `onEnd` is called once, when the values end or fail. */
export function createLatest<T>(onEnd: () => void): Latest<T> {
  let unread: { readonly value: T } | undefined;
  let isEnded = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};

  function finish(reason?: { readonly error: unknown }): void {
    if (isEnded) return;
    isEnded = true;
    failure = reason;
    wake();
    onEnd();
  }

  return {
    put(value) {
      unread = { value };
      wake();
    },
    end: () => finish(),
    fail: (error) => finish({ error }),
    async next() {
      while (unread === undefined && !isEnded) await new Promise<void>((resolve) => (wake = resolve));
      if (!isEnded && unread !== undefined) {
        const { value } = unread;
        unread = undefined;
        return { done: false, value };
      }
      if (failure === undefined) return { done: true, value: undefined };
      const { error } = failure;
      failure = undefined;
      throw error;
    },
  };
}
