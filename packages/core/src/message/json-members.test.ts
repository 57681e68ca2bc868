import fc from "fast-check";
import { expect, test } from "vitest";
import { countMembers, repeatedName, hasCrowdedObject } from "./json-members.ts";
import { jsonExcess } from "./json-excess.ts";

const find = (text: string): string | undefined =>
  repeatedName(text, countMembers(JSON.parse(text), Infinity) as number);

test.each<[string, string | undefined]>([
  ["{}", undefined],
  ['{"a":1,"a":2}', "a"],
  ['{"a":1,"\\u0061":2}', "a"],
  ['{"a":{"b":1,"b":1}}', "b"],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":[{"b":1},{"c":2,"b":1,"c":2}]}', "c"],
  ['{"a":"b\\":","c":":"}', undefined],
  ['{"a\\\\":1,"a\\\\" : 2}', "a\\"],
  ['{ "a" \t\n: 1, "b": "a", "a"\r: 3 }', "a"],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['"a"', undefined],
  ['["a:",":","\\"",{"":"","x":""}]', undefined],
])("%s", (text, expected) => {
  expect(find(text)).toBe(expected);
});

test("finds no repeated name in output of JSON.stringify", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (text) => {
      expect(find(text)).toBeUndefined();
    }),
  );
});

test("finds a repeated name at any depth", () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), fc.json(), (before, name, after) => {
      const key = JSON.stringify(name);
      expect(find(`[${before},{"other":${before},${key}:${before},${key}:${after}}]`)).toBe(
        name === "other" ? "other" : name,
      );
    }),
  );
});

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
