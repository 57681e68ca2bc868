import { type Json, type Operator, OPERATORS, type WireType } from "@bifocal/core/store";
import { decimal } from "@bifocal/core";
import fc from "fast-check";
import { z } from "zod";

/** Texts whose lowercase form is longer or depends on the neighboring letters. */
export const SPECIAL_TEXTS = ["İ", "ΑΣ", "ας", "Σ"];

/** The kinds of field that models are made of. */
export const KINDS = [
  "text",
  "email",
  "enum",
  "uuid",
  "int32",
  "integer",
  "number",
  "bigint",
  "decimal",
  "boolean",
  "date",
  "moment",
  "time",
  "duration",
  "texts",
  "numbers",
  "object",
  "json",
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * Texts that test quoting, `like`, collations, UTF-16, trimming and case rules. Without NUL, which PostgreSQL doesn't
 * support.
 */
export const TEXTS = [
  "a",
  "A",
  "b",
  "ab",
  "Ab",
  "aB",
  "ba",
  "a ",
  " a",
  " ",
  "é",
  "e\u0301",
  "É",
  "ß",
  "ẞ",
  "ss",
  "i",
  "I",
  "ı",
  "K",
  "k",
  "ǅ",
  "ﬀ",
  "Ꭰ",
  "𐐀",
  "𐐨",
  "ñandú",
  "Ñ",
  "д",
  "Д",
  "%",
  "_",
  "a%b",
  "a_b",
  "%a%",
  "!",
  "a!b",
  "\\",
  "a\\",
  "\\%",
  "'",
  "a'b",
  "''",
  '"',
  "`",
  "a`b",
  "?",
  "$1",
  ":a",
  "--",
  "/*",
  ";",
  "0",
  "00",
  "1e1",
  "true",
  "null",
  "{}",
  "[]",
  '{"a":1}',
  "\n",
  "\t",
  "\r\n",
  "\u0001",
  "\u007F",
  "\u00A0",
  "\u200B",
  "\uD7FF",
  "\uE000",
  "\uFF5E",
  "\uFFFD",
  "\uFFFF",
  "😀",
  "😀a",
  "a😀",
  "😁",
  "\u{10FFFF}",
  "\u{10FFFF}".repeat(70),
  "日本",
]; // prettier-ignore

const ENUM = ["novel", "poem", "essay"] as const;
const UUIDS = ["0", "5", "a", "f"].map((digit) => `${digit}0000000-0000-4000-8000-00000000000${digit}`);
const MOMENTS = [
  "2026-01-01T00:00:00.000Z",
  "2026-01-01T00:00:00.000001Z",
  "2026-01-01T00:00:00.999999Z",
  "2026-01-01T00:00:01.000Z",
  "2025-12-31T23:59:59.999Z",
  "1969-12-31T23:59:59.999Z",
  "1900-02-28T12:00:00.500Z",
  "9999-12-31T23:59:59.999Z",
  "1000-01-01T00:00:00.000Z",
];
const DATES = ["2026-01-01", "2024-02-29", "1970-01-01", "1969-12-31", "1582-10-10", "9999-12-31", "1000-01-01"];

export interface KindValues {
  readonly schema: () => z.ZodType;
  readonly values: fc.Arbitrary<Json>;
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constant("") },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)).map((parts) => parts.join("")),
  },
);

/** Any JSON, with equally difficult texts. Members keep their order; `-0` has no JSON text. */
const json: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, 1, -1, 1.5, 1e21, 1e-7, 9007199254740991),
    text,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(
      text.filter((name) => name !== "__proto__"),
      tie("any"),
      { maxKeys: 3, noNullPrototype: true },
    ),
  ),
})).any;

/** Numbers that are rounded, overflow, have the longest text, or have digits beyond 2^53. */
const NUMBERS = [
  0, 1, -1, 2.5, 9.372550340185505, 663530083038468400, 10, 0.1, 1e-7, 1e21, -1e300, 123456789.125, 5e-324,
  1.7976931348623157e308,
];

const numbers = fc.oneof(
  fc.constantFrom(-1.0394026127482605e-308, ...NUMBERS),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
);

const int32s = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom(2147483647, -2147483648));

export const VALUES: Readonly<Record<Kind, KindValues>> = {
  text: { schema: () => z.string(), values: text },
  email: { schema: () => z.email(), values: fc.constantFrom("a@example.org", "A@example.org", "b'c@example.org") },
  enum: { schema: () => z.enum(ENUM), values: fc.constantFrom(...ENUM) },
  uuid: { schema: () => z.uuid(), values: fc.constantFrom(...UUIDS) },
  int32: { schema: () => z.int32(), values: int32s },
  integer: {
    schema: () => z.int(),
    values: fc.oneof(int32s, fc.constantFrom(9007199254740991, -9007199254740991, 2147483648)),
  },
  number: { schema: () => z.number(), values: numbers },
  bigint: {
    schema: () => z.bigint(),
    values: fc.constantFrom("0", "9", "10", "-1", "9007199254740993", "9223372036854775807", "-9223372036854775808"),
  },
  decimal: {
    schema: () => decimal({ precision: 18, scale: 2 }),
    values: fc.oneof(
      fc.constantFrom("0.00", "-0.01", "9.99", "10.00", "-9999999999999999.99", "9999999999999999.99"),
      fc.integer({ min: -2_000, max: 2_000 }).map((cents) => (cents / 100).toFixed(2).replace(/^-0\.00$/, "0.00")),
    ),
  },
  boolean: { schema: () => z.boolean(), values: fc.boolean() },
  date: { schema: () => z.iso.date(), values: fc.constantFrom(...DATES) },
  moment: { schema: () => z.iso.datetime({ offset: true }), values: fc.constantFrom(...MOMENTS) },
  time: { schema: () => z.iso.time(), values: fc.constantFrom("00:00:00", "09:30:00", "09:30:00.5", "23:59:59.999") },
  duration: { schema: () => z.iso.duration(), values: fc.constantFrom("P1D", "PT1H", "P1Y2M") },
  texts: { schema: () => z.array(z.string()), values: fc.array(text, { maxLength: 3 }) },
  numbers: {
    schema: () => z.array(z.number()),
    values: fc.array(fc.oneof(int32s, fc.constant(2.5)), { maxLength: 3 }),
  },
  object: {
    schema: () => z.object({ lat: z.number(), note: z.string().nullable() }),
    values: fc.tuple(numbers, fc.option(text)).map(([lat, note]): Json => ({ lat, note })),
  },
  json: { schema: () => z.json(), values: json },
};

/** Generates values of a field in stored form. */
export function valuesOf(kind: Kind): fc.Arbitrary<Json> {
  return VALUES[kind].values;
}

/** Few values, so that most keys and references lead to a row. */
const FEW: Readonly<Partial<Record<Kind, readonly Json[]>>> = {
  text: ["a", "A", "é"],
  uuid: UUIDS.slice(0, 3),
  int32: [1, 2, 3],
  integer: [1, 2, 3],
};

/** Generates values of a key or a reference. */
export function keyValuesOf(kind: Kind): fc.Arbitrary<Json> {
  const few = FEW[kind];
  if (few === undefined) return valuesOf(kind);
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...few) }, { weight: 1, arbitrary: valuesOf(kind) });
}

/** Generates operands of a filter for a field, by operator. */
export function operandOf(kind: Kind, type: WireType, operator: Operator): fc.Arbitrary<Json> {
  const item = kind === "texts" ? text : kind === "numbers" ? fc.oneof(int32s, fc.constant(2.5)) : valuesOf(kind);
  return operandFrom(item, type, operator);
}

/** Generates operands that consist of these values. */
export function operandFrom(
  item: fc.Arbitrary<Json>,
  { kind: wire }: WireType,
  operator: Operator,
): fc.Arbitrary<Json> {
  switch (OPERATORS[operator].operand) {
    case "flag":
      return fc.boolean();
    case "list":
      return fc.array(item, { maxLength: wire === "list" ? 3 : 10 });
    case "pair":
      return fc.tuple(item, item);
    case "one":
    case "text":
      // Larger than any column value, in the form that clients write.
      return wire === "bigint" ? fc.oneof(item, fc.constant("123456789012345678901234567890")) : item;
  }
}
