/**
 * One answer for all who ask for the same within a time (in milliseconds), so that a thousand who ask at once are one
 * question. What fails is not kept.
 */
export function memoizeFor<K, T>(time: number, work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const kept = new Map<K, { readonly answer: Promise<T>; readonly until: number }>();
  return (key) => {
    const now = performance.now();
    const known = kept.get(key);
    if (known !== undefined && known.until > now) return known.answer;
    // The oldest stand first, so what is over is dropped without looking at the rest.
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
