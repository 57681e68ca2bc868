/**
 * Caches the result of `work` by key for a time in milliseconds. Concurrent calls with the same key share one call.
 * Failures are not cached.
 */
export function memoizeFor<K, T>(time: number, work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const kept = new Map<K, { readonly answer: Promise<T>; readonly until: number }>();
  return (key) => {
    const now = performance.now();
    const known = kept.get(key);
    if (known !== undefined && known.until > now) return known.answer;
    // Entries are ordered by age, so expired ones come first.
    for (const [other, { until }] of kept) {
      if (until > now) break;
      kept.delete(other);
    }
    const answer = work(key);
    kept.delete(key);
    kept.set(key, { answer, until: now + time });
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
