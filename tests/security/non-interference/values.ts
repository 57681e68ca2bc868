import { decimal } from "@bifocal/core";
import { z } from "zod";

interface ValueKind {
  readonly schema: z.ZodType;
  /** Three values in wire form. */
  readonly values: readonly unknown[];
  /** Whether filters and sorts can use it. */
  readonly isScalar: boolean;
  /** The GraphQL selection inside the field. */
  readonly selection?: string;
}

/** Kinds of fields that schemas are drawn from. */
export const VALUE_KINDS = {
  text: { schema: z.string(), values: ["a", "B", "=é, \"\n'"], isScalar: true },
  boolean: { schema: z.boolean(), values: [false, true, false], isScalar: true },
  choice: { schema: z.enum(["RED", "GREEN", "BLUE"]), values: ["RED", "GREEN", "BLUE"], isScalar: true },
  float: { schema: z.number(), values: [0, -1.5, 1e9], isScalar: true },
  bigint: { schema: z.bigint(), values: ["0", "7", "9007199254740993"], isScalar: true },
  decimal: { schema: decimal({ precision: 8, scale: 2 }), values: ["0.00", "-1.50", "9.99"], isScalar: true },
  date: { schema: z.iso.date(), values: ["2026-01-01", "2026-01-02", "1999-12-31"], isScalar: true },
  moment: {
    schema: z.iso.datetime(),
    values: ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z", "1999-12-31T23:59:59.999Z"],
    isScalar: true,
  },
  list: { schema: z.array(z.int32()), values: [[], [1], [1, 2]], isScalar: false },
  object: {
    schema: z.object({ a: z.int32(), b: z.string().nullable() }),
    values: [
      { a: 0, b: null },
      { a: 1, b: "b" },
      { a: 2, b: "" },
    ],
    isScalar: false,
    selection: "{ a b }",
  },
  json: { schema: z.json(), values: [{ a: [1] }, [], "text"], isScalar: false },
} satisfies Record<string, ValueKind>;

export type ValueKindName = keyof typeof VALUE_KINDS;

export function kindOf(name: ValueKindName): ValueKind {
  return VALUE_KINDS[name];
}

const NOT_ORDERED: ReadonlySet<ValueKindName> = new Set(["boolean", "choice", "list", "object", "json"]);

/** Whether values of a kind have a least one, so that aggregates can use them. */
export function isAggregatable(name: ValueKindName): boolean {
  return !NOT_ORDERED.has(name);
}

/** Values of fields in code. Big integers have another form on the wire. */
export function toCode(
  fields: readonly { readonly name: string; readonly kind: ValueKindName }[],
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const big = new Set(fields.filter(({ kind }) => kind === "bigint").map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      big.has(name) && typeof value === "string" ? BigInt(value) : value,
    ]),
  );
}
