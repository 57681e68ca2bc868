/** A map that forgets what was not used for longest, once its entries together weigh more than `most`. */
export interface Lru<Value> {
  readonly get: (key: string) => Value | undefined;
  /** What is too heavy on its own is not kept. */
  readonly set: (key: string, value: Value, weight: number) => void;
}

export function createLru<Value>(most: number): Lru<Value> {
  // A Map keeps the order of insertion, so the first one is the one that was not used for longest.
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>();
  let total = 0;

  function forget(key: string): void {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      kept.delete(key);
      kept.set(key, entry);
      return entry.value;
    },
    set(key, value, weight) {
      forget(key);
      if (weight > most) return;
      kept.set(key, { value, weight });
      total += weight;
      while (total > most) forget(kept.keys().next().value as string);
    },
  };
}
