import fc from "fast-check";
import { expect, test } from "vitest";
import { hasCrowdedObject } from "./crowded-object.ts";
import { jsonExcess } from "./json-excess.ts";

test("finds a crowded object from its members, not from the content of strings", () => {
  const text = fc.string({ unit: fc.constantFrom('"', "\\\\", ":", "{", "}", "[", "a", "é") });
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie("value")), fc.dictionary(text, tie("value"))),
  }));
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 5 }), fc.constantFrom(0, 1), (given, most, indent) => {
      const isCrowded = jsonExcess(given, { depth: Infinity, keys: most }) !== undefined;
      expect(hasCrowdedObject(JSON.stringify(given, undefined, indent), most)).toBe(isCrowded);
    }),
    { numRuns: 2_000 },
  );
});

test("ends for invalid JSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', "\\\\", ":", "{", "}", "[", "]") }), (text) => {
      expect(hasCrowdedObject(text, 1)).toBeTypeOf("boolean");
    }),
  );
});
