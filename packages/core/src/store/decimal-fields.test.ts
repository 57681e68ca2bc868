import fc from "fast-check";
import { expect, test } from "vitest";
import { compareDecimals, isDecimal } from "./decimal-fields.ts";

test("orders decimals by value, whatever their form", () => {
  let compared = 0;
  const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const form = fc.constantFrom<(value: number) => string>(
    (value) => (value / 100).toFixed(2),
    (value) => `${value}e-2`,
    (value) => (value < 0 ? "-" : "+") + (Math.abs(value) / 100).toFixed(4),
  );
  fc.assert(
    fc.property(cents, cents, form, form, (a, b, first, second) => {
      expect(compareDecimals(first(a), second(b))).toBe(Math.sign(a - b));
      compared += 1;
    }),
    { numRuns: 500 },
  );
  expect(compared).toBe(500);
});

test("keeps every digit", () => {
  expect(compareDecimals("123456789012345678.90", "123456789012345678.91")).toBe(-1);
  expect(compareDecimals("-0", "0.000")).toBe(0);
});

test.each(["", "abc", "1,5", "0x1", "NaN", "Infinity", ".", "1e", "1e99999", " 1"])("'%s' is not a number", (text) => {
  expect([isDecimal(text), compareDecimals(text, "1")]).toEqual([false, undefined]);
});
