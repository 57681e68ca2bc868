import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../util/canonical-json.ts";
import type { Json } from "../util/json.ts";
import { rowVersion } from "./row-version.ts";

const resource = { storedFields: [{ name: "a" }, { name: "b" }] };
const value = fc.jsonValue() as fc.Arbitrary<Json>;

test("gives two rows the same version exactly if their fields are equal", () => {
  fc.assert(
    fc.property(value, value, value, value, (a, b, c, d) => {
      const one = rowVersion(resource, { a, b });
      expect(rowVersion(resource, { b, a })).toBe(one);
      expect(rowVersion(resource, { a: c, b: d }) === one).toBe(canonicalJson([a, b]) === canonicalJson([c, d]));
    }),
  );
});

test.each<[string, Json, Json]>([
  ["an object differs from its text", { x: 1 }, '{"x":1}'],
  ["a list differs from its text", { x: 1 }, ['{"x":1}']],
  ["a number differs from its digits", 1, "1"],
])("%s", (_, a, b) => {
  expect(rowVersion(resource, { a, b: null })).not.toBe(rowVersion(resource, { a: b, b: null }));
});

test("ignores the order of members", () => {
  const [one, other] = [
    { x: 1, y: [2, { p: 3, q: 4 }] },
    { y: [2, { q: 4, p: 3 }], x: 1 },
  ];
  expect(rowVersion(resource, { a: one, b: null })).toBe(rowVersion(resource, { a: other, b: null }));
});
