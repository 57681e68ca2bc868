import fc from "fast-check";
import { expect, test } from "vitest";
import { createListCaches, isSameList, type ListCache } from "./list-caches.ts";

interface Item {
  readonly n: number;
}

const frozen = (n: number): Item => Object.freeze({ n });
const BYTES = 65_536;

/** Returns what is cached for a list, after storing its sum. */
function sumOf(cache: ListCache<Item, number>, list: readonly Item[]): number | undefined {
  const slot = cache.slotOf(list);
  if (slot === undefined) return undefined;
  const sum = list.reduce((total, { n }) => total + n, 0);
  return slot.value ?? (slot.fill(sum, 8), undefined);
}

test("returns a slot for a list that is seen again, and its value from then on", () => {
  const cache = createListCaches<Item>(BYTES)<number>();
  const items = [frozen(1), frozen(2)];
  expect(cache.slotOf([...items])).toBeUndefined();
  expect(cache.slotOf([...items])?.value).toBeUndefined();
  expect(cache.slotOf([...items])?.fill(3, 8)).toBe(3);
  expect(cache.slotOf([...items])?.value).toBe(3);
});

test("returns no slot for empty lists, for objects that can change, and for long lists", () => {
  const cache = createListCaches<Item>(BYTES)<number>();
  const first = frozen(1);
  const lists = [[], [{ n: 1 }], [first, { n: 2 }], Array.from({ length: 1_025 }, (_, n) => frozen(n))];
  for (const list of lists) for (let n = 0; n < 4; n++) expect(cache.slotOf(list)).toBeUndefined();
});

test("doesn't return the value of a list that its owner has changed in place", () => {
  const cache = createListCaches<Item>(BYTES)<number>();
  const list = [frozen(1), frozen(2)];
  for (let n = 0; n < 3; n++) sumOf(cache, list);
  expect(sumOf(cache, list)).toBe(3);
  list[1] = frozen(5);
  expect([0, 1, 2].map(() => sumOf(cache, list))).toEqual([undefined, undefined, 6]);
  list.push(frozen(1));
  expect([0, 1, 2].map(() => sumOf(cache, list))).toEqual([undefined, undefined, 7]);
});

test("drops the oldest lists of all caches of a group", () => {
  const createCache = createListCaches<Item>(BYTES);
  const [one, other] = [createCache<number>(), createCache<number>()];
  const list = [frozen(1)];
  const fill = (cache: ListCache<Item, number>, bytes: number): void => {
    const own = [frozen(2)];
    cache.slotOf(own);
    cache.slotOf(own)?.fill(2, bytes);
  };
  for (let n = 0; n < 2; n++) sumOf(one, list);
  expect(sumOf(one, list)).toBe(1);
  fill(other, BYTES / 2);
  expect(sumOf(one, list)).toBe(1);
  fill(other, BYTES / 2);
  expect(sumOf(one, list)).toBeUndefined();
});

test("a value that is larger than the limit empties the caches, and later lists are cached again", () => {
  const cache = createListCaches<Item>(BYTES)<number>();
  const [large, list] = [[frozen(1)], [frozen(2)]];
  cache.slotOf(large);
  expect(cache.slotOf(large)?.fill(1, 2 * BYTES)).toBe(1);
  expect(cache.slotOf(large)).toBeUndefined();
  for (let n = 0; n < 2; n++) sumOf(cache, list);
  expect(sumOf(cache, list)).toBe(2);
});

test("a slot that is filled after its list was dropped takes no space", () => {
  const createCache = createListCaches<Item>(BYTES);
  const [one, other] = [createCache<number>(), createCache<number>()];
  const [late, large, list] = [[frozen(1)], [frozen(2)], [frozen(3)]];
  one.slotOf(late);
  const slot = one.slotOf(late);
  other.slotOf(large);
  other.slotOf(large)?.fill(2, BYTES);
  slot?.fill(1, BYTES);
  for (let n = 0; n < 2; n++) sumOf(one, list);
  expect(sumOf(one, list)).toBe(3);
});

test("any sequence of lists returns the value of the same list or none", () => {
  const items = Array.from({ length: 5 }, (_, n) => frozen(n));
  const list = fc.array(fc.constantFrom(...items), { maxLength: 3 });
  let hits = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(list, fc.integer({ min: 1, max: 4 })), { maxLength: 50 }), (lists) => {
      const cache = createListCaches<Item>(4_096)<number>();
      for (const list of lists.flatMap(([one, times]) => Array.from({ length: times }, () => one))) {
        const sum = sumOf(cache, list);
        if (sum === undefined) continue;
        hits += 1;
        expect(sum).toBe(list.reduce((total, { n }) => total + n, 0));
      }
    }),
  );
  expect(hits).toBeGreaterThan(100);
});

test("compares lists by their objects", () => {
  const [one, other] = [frozen(1), frozen(1)];
  expect(isSameList([one, other], [one, other])).toBe(true);
  expect(isSameList([one], [other])).toBe(false);
  expect(isSameList([one], [one, other])).toBe(false);
  expect(isSameList([], [])).toBe(true);
});
