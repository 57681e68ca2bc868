import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLru } from "./lru.ts";

describe("an LRU map", () => {
  test("keeps at most its capacity, always the newest entry, and no value that was never set", () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), weight: fc.option(fc.nat(12)) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const lru = createLru<number>(10);
        const set = new Map<string, number>();
        for (const { key, weight } of steps) {
          lru.get(key);
          if (weight === null) continue;
          lru.set(key, weight, weight);
          set.set(key, weight);
          expect(lru.get(key)).toBe(weight > 10 ? undefined : weight);
          const found = [...set].filter(([name]) => lru.get(name) !== undefined);
          expect(found.every(([name, value]) => lru.get(name) === value)).toBe(true);
          expect(found.reduce((sum, [, value]) => sum + value, 0)).toBeLessThanOrEqual(10);
        }
      }),
    );
  });

  test("keeps frequently used entries while other keys are used once", () => {
    const lru = createLru<string>(4);
    lru.set("hot", "hot", 1);
    for (let index = 0; index < 1_000; index++) {
      expect(lru.get("hot")).toBe("hot");
      lru.set(`once ${index}`, "once", 1);
    }
  });

  test("accepts new entries while all others are in constant use", () => {
    const lru = createLru<string>(3);
    const hot = ["a", "b", "c"];
    for (const key of hot) lru.set(key, key, 1);
    for (let index = 0; index < 100; index++) {
      for (const key of hot) if (lru.get(key) === undefined) lru.set(key, key, 1);
      lru.set(`new ${index}`, "new", 1);
      expect(lru.get(`new ${index}`)).toBe("new");
    }
  });

  test("makes room when an entry grows, and drops one that grows too large", () => {
    const lru = createLru<string>(10);
    for (const key of ["a", "b", "c"]) lru.set(key, key, 3);
    lru.grow("c", "c", () => 3);
    expect(["a", "b", "c"].map((key) => lru.get(key))).toEqual([undefined, "b", "c"]);
    lru.grow("b", "an older value", () => 9);
    lru.grow("nothing", "nothing", () => {
      throw new Error("An entry that was dropped is not weighed.");
    });
    expect(["b", "c"].map((key) => lru.get(key))).toEqual(["b", "c"]);
    lru.grow("b", "b", () => 8);
    expect(["b", "c"].map((key) => lru.get(key))).toEqual([undefined, "c"]);
    lru.set("d", "d", 4);
    expect(["c", "d"].map((key) => lru.get(key))).toEqual(["c", "d"]);
  });
});
