import fc from "fast-check";
import type { Json } from "@bifocal/core/store";
import { expect, test } from "vitest";
import { jsonLength } from "./json-length.ts";

test("is at most a few characters per value away from the length of the JSON", () => {
  const value = fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.parse(JSON.stringify(one)) as Json);
  fc.assert(
    fc.property(value, (given) => {
      const length = jsonLength(given, Number.POSITIVE_INFINITY);
      const values = countValues(given);
      // Numbers and escaped characters are longer.
      expect(length).toBeLessThanOrEqual(JSON.stringify(given).length + 8 * values);
      expect(JSON.stringify(given).length).toBeLessThanOrEqual(6 * length + 25 * values);
    }),
  );
});

test("stops counting", () => {
  let reads = 0;
  const list = new Proxy(
    Array.from({ length: 1_000 }, () => "text"),
    {
      get(target, name) {
        reads++;
        return Reflect.get(target, name) as unknown;
      },
    },
  );
  expect(jsonLength({ list }, 100)).toBeLessThan(120);
  expect(reads).toBeLessThan(60);
});

function countValues(value: Json): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, one) => sum + 1 + countValues(one), 1);
}
