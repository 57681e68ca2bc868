/** Waits until all promises have settled, at most this many milliseconds. Never rejects. */
export async function settleWithin(ms: number, promises: Iterable<Promise<unknown>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([Promise.allSettled(promises), late]);
  clearTimeout(timer);
}
