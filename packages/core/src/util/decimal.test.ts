import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addDecimals,
  canonicalDecimal,
  compareDecimals,
  type Decimal,
  decimalPattern,
  describeDecimal,
  divideDecimal,
  isDecimal,
  parseDecimal,
  printDecimal,
} from "./decimal.ts";

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

const decimal = (text: string): Decimal => parseDecimal(text) as Decimal;

test.each([
  ["0.1", "0.2", "0.3"],
  ["-1", "0.05", "-0.95"],
  ["1e3", "1", "1001"],
  ["99999999999999999999.99", "0.01", "100000000000000000000.00"],
])("adds %s and %s exactly", (a, b, sum) => {
  expect(printDecimal(addDecimals(decimal(a), decimal(b)))).toBe(sum);
});

test.each<[text: string, divisor: bigint, scale: number, quotient: string]>([
  ["10", 3n, 4, "3.3333"],
  ["20", 3n, 2, "6.67"],
  ["0.05", 2n, 2, "0.03"],
  ["-0.05", 2n, 2, "-0.03"],
  ["0.04", -10n, 2, "0.00"],
  ["1e2", 8n, 1, "12.5"],
])("divides %s by %s", (text, divisor, scale, quotient) => {
  expect(printDecimal(divideDecimal(decimal(text), divisor, scale))).toBe(quotient);
});

test.each<[text: string, scale: number | undefined, printed: string]>([
  ["1.5", undefined, "1.5"],
  ["1.5", 3, "1.500"],
  ["1.25", 1, "1.3"],
  ["-0.04", 1, "0.0"],
  ["12e2", undefined, "1200"],
  ["-0.5", 0, "-1"],
])("prints %s", (text, scale, printed) => {
  expect(printDecimal(decimal(text), scale)).toBe(printed);
});

test("accepts exactly the texts of its pattern", () => {
  let accepted = 0;
  const format = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.nat(6))
    .map(([precision, scale]) => ({ precision, scale: Math.min(precision, scale) }));
  const text = fc.oneof(
    fc.stringMatching(/^-?\d{1,5}(\.\d{0,4})?$/),
    fc.stringMatching(/^[-+]?[0-9.e]{0,5}$/),
    fc.tuple(fc.constantFrom("", "-"), fc.stringMatching(/^0(\.\d{1,4})?$/)).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(format, text, (one, given) => {
      const stored = canonicalDecimal(given, one);
      expect(stored !== undefined).toBe(new RegExp(decimalPattern(one)).test(given));
      if (stored === undefined) return;
      accepted += 1;
      expect(compareDecimals(stored, given)).toBe(0);
      expect(canonicalDecimal(stored, one)).toBe(stored);
      expect(stored).toBe(printDecimal(decimal(given), one.scale));
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

test.each([
  [{ precision: 10, scale: 2 }, 'such as "12.50", with at most 8 digits before the point and 2 after it'],
  [{ precision: 1, scale: 0 }, 'such as "1", with at most 1 digit before the point and none after it'],
  [{ precision: 4, scale: 4 }, 'such as "0.5000", with at most 4 digits after the point'],
])("describes %j", (format, description) => {
  expect(describeDecimal(format)).toBe(`a decimal as a string, ${description}`);
});
