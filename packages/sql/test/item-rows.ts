// Rows with a field of each kind, for tests of what a database makes of the values that it stores.
import { allow, decimal, defineResource } from "@bifocal/core";
import fc from "fast-check";
import { z } from "zod";

const access = { read: allow, create: allow, update: allow, delete: allow };

export const item = defineResource("item", {
  key: "id",
  fields: {
    id: z.uuid(),
    whole: z.int().nullable(),
    wide: z.bigint().nullable(),
    number: z.number().nullable(),
    flag: z.boolean().nullable(),
    name: z.string().nullable(),
    kind: z.enum(["new", "old"]),
    day: z.iso.date().nullable(),
    moment: z.iso.datetime({ offset: true }).nullable(),
    cost: decimal({ precision: 12, scale: 2 }).nullable(),
    tags: z.array(z.string()),
    notes: z.json(),
  },
  bulk: { create: 10 },
  access,
});

const digits = fc.constantFrom("0", "007", "1.50", "-0", "1e3", " 5", "9007199254740993", "Infinity");
const VALUES = {
  id: fc.uuid(),
  whole: fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constant(-0)),
  wide: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  number: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()),
  flag: fc.boolean(),
  name: fc.oneof(fc.string({ unit: "grapheme" }), digits).filter((text) => !text.includes("\0")),
  kind: fc.constantFrom("new", "old"),
  day: fc
    .date({ noInvalidDate: true, min: new Date("1000-01-01"), max: new Date("9999-12-31") })
    .map((one) => one.toISOString().slice(0, 10)),
  moment: fc.constantFrom(
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.678Z",
    "2026-01-02T03:04:05.678901Z",
    "2026-01-02T03:04:05.120000+02:00",
  ),
  cost: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => (cents / 100).toFixed(2)),
  tags: fc.array(fc.string(), { maxLength: 3 }).filter((all) => !all.some((text) => text.includes("\0"))),
  notes: fc.oneof(fc.jsonValue({ noUnicodeString: true }), fc.constant([1, { a: -0 }])),
};
export type ItemField = keyof typeof VALUES;
export const ITEM_FIELDS = Object.keys(VALUES) as ItemField[];

const OPTIONAL: ReadonlySet<ItemField> = new Set(["whole", "wide", "number", "flag", "name", "day", "moment", "cost"]);
const valueOf = (name: ItemField): fc.Arbitrary<unknown> =>
  OPTIONAL.has(name) ? fc.option<unknown>(VALUES[name], { freq: 9 }) : VALUES[name];

export const itemRow = fc.record(
  Object.fromEntries(ITEM_FIELDS.map((name) => [name, valueOf(name)])) as Record<ItemField, fc.Arbitrary<unknown>>,
);

const empty = { whole: null, wide: null, number: null, flag: null, day: null, moment: null, cost: null, notes: null };

/** Returns a row with few values, to which a test adds a name. */
export const itemOf = (id: number) => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
  kind: "new",
  tags: [],
  ...empty,
});

/** JSON has no large integers. */
export const bigints = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}n` : value);
