import fc from "fast-check";
import { expect, test } from "vitest";
import { stringifyRow } from "./stringify-row.ts";

const row = fc.dictionary(
  fc.string().filter((name) => name !== "__proto__"),
  fc.jsonValue(),
);

test("returns the text of JSON.stringify and leaves the row unchanged", () => {
  fc.assert(
    fc.property(row, fc.boolean(), (given, isFrozen) => {
      const text = JSON.stringify(given);
      if (isFrozen) {
        for (const value of Object.values(given)) Object.freeze(value);
        Object.freeze(given);
      }
      expect(stringifyRow(given)).toBe(text);
      expect(JSON.stringify(given)).toBe(text);
    }),
  );
});
