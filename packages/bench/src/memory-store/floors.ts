import type { Work } from "./works.ts";

/**
 * The least that a write can cost: plain look-ups in a `Map` and an array, and a search in a sorted array, with as many
 * entries as the store has rows.
 */
export function createFloors(keys: readonly (string | number)[]): ReadonlyMap<string, Work> {
  const byKey = new Map(keys.map((key, n) => [key, { n }]));
  const objects = [...byKey.values()];
  const all = [...byKey.keys()];
  const sorted = all.toSorted((a, b) => (a < b ? -1 : 1));
  const randomKey = (): string | number => all[Math.floor(Math.random() * all.length)] as string | number;

  function search(key: string | number): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] as string | number) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  const sum =
    (read: () => number): Work =>
    async (count) => {
      let total = 0;
      for (let n = 0; n < count; n++) total += read();
      if (Number.isNaN(total)) throw new Error("Each read returns a number.");
    };
  return new Map([
    ["bare array: read an object", sum(() => objects[Math.floor(Math.random() * objects.length)]?.n ?? 0)],
    ["bare Map: look up an object", sum(() => byKey.get(randomKey())?.n ?? 0)],
    ["bare sorted array: search a key", sum(() => search(randomKey()))],
  ]);
}
