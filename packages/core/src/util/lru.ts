/** A map that drops the least recently used entries when their total weight exceeds `most`. */
export interface Lru<Value> {
  readonly get: (key: string) => Value | undefined;
  /** A value that is heavier than `most` isn't stored. */
  readonly set: (key: string, value: Value, weight: number) => void;
  /** Adds to the weight of an entry that has grown since it was set. Does not call `weigh` if the entry was dropped. */
  readonly grow: (key: string, value: Value, weigh: () => number) => void;
}

interface Entry<Value> {
  readonly value: Value;
  weight: number;
  isUsed: boolean;
}

export function createLru<Value>(most: number): Lru<Value> {
  // In the order of insertion. A read marks its entry, and a marked entry is skipped once when space is needed. Moving
  // it on each read would make the map rebuild its table again and again.
  const kept = new Map<string, Entry<Value>>();
  let total = 0;

  function forget(key: string): void {
    total -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  /** Terminates, because a skipped entry loses its mark and moves to the end. */
  function makeRoom(newest: string): void {
    for (const [key, entry] of kept) {
      if (total <= most) return;
      if (key === newest) continue;
      if (entry.isUsed) {
        entry.isUsed = false;
        kept.delete(key);
        kept.set(key, entry);
      } else forget(key);
    }
  }

  return {
    get(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      entry.isUsed = true;
      return entry.value;
    },
    set(key, value, weight) {
      forget(key);
      if (weight > most) return;
      kept.set(key, { value, weight, isUsed: false });
      total += weight;
      makeRoom(key);
    },
    grow(key, value, weigh) {
      const entry = kept.get(key);
      if (entry === undefined || entry.value !== value) return;
      const weight = weigh();
      entry.weight += weight;
      total += weight;
      if (entry.weight > most) forget(key);
      else makeRoom(key);
    },
  };
}
