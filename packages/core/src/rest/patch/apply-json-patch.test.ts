import fc from "fast-check";
import { expect, it } from "vitest";
import { cloneJson } from "./apply-json-patch.ts";
import type { Json } from "../../util/json.ts";

it("returns equal JSON that shares no object with the original", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (drawn) => {
      const value = drawn as Json;
      const copy = cloneJson(value);
      expect(copy).toStrictEqual(structuredClone(value));
      expect(copy === value).toBe(typeof value !== "object" || value === null);
    }),
  );
});

it("copies a member named __proto__ as a member", () => {
  const copy = cloneJson(JSON.parse('{"__proto__":{"admin":true}}') as Json);
  expect(Object.keys(copy as object)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});
