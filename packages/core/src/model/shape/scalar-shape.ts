import { z } from "zod";
import { decimalFormatOf } from "../../definition/decimal.ts";
import type { TextFormat, TextKind, WireScalar } from "../wire-type.ts";
import { formatOfChecks, type IntegerRange, rangeOfChecks } from "./plain-checks.ts";
import { NoWireForm, plain, type ValueShape, type Side } from "./value-shape.ts";

/** Text kinds by the format in JSON Schema, in which zod combines all checks of a schema. */
const TEXT_KINDS: Readonly<Record<string, TextKind>> = {
  uuid: "uuid",
  email: "email",
  uri: "url",
  date: "date",
  "date-time": "datetime",
  duration: "duration",
};

const TEXT_FORMATS: ReadonlySet<string> = new Set<TextFormat>(["base64", "base64url", "ipv4", "ipv6", "jwt", "ulid"]);

function isTextFormat(format: string): format is TextFormat {
  return TEXT_FORMATS.has(format);
}

/** Each schema is resolved for the input and for the output, and often shared by resources. */
const CONVERTED = new WeakMap<z.core.$ZodType, z.core.JSONSchema.BaseSchema>();

function toJsonSchema(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  let converted = CONVERTED.get(schema);
  if (converted === undefined) {
    converted = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    CONVERTED.set(schema, converted);
  }
  return converted;
}

export function textShape(schema: z.core.$ZodType, side: Side): ValueShape {
  const decimal = decimalFormatOf(schema);
  if (decimal !== undefined) return plain({ kind: "decimal", nullable: false, ...decimal });
  // zod omits the format of a time of day, because JSON Schema's `time` has an offset.
  const isTime = (schema._zod.def as { readonly format?: string }).format === "time";
  const format = formatOfChecks(schema) ?? toJsonSchema(schema).format ?? "";
  const kind = isTime ? "time" : TEXT_KINDS[format];
  if (kind === "datetime" && side === "output") refusePrecision(schema);
  if (kind !== undefined) return plain({ kind, nullable: false });
  const text: WireScalar = { kind: "string", nullable: false };
  return plain(isTextFormat(format) ? { ...text, format } : text);
}

/**
 * Datetimes are returned with milliseconds. A schema with another precision would reject the values that clients
 * received.
 */
function refusePrecision(schema: z.core.$ZodType): void {
  const defs = [schema._zod.def, ...(schema._zod.def.checks ?? []).map(({ _zod }) => _zod.def)];
  for (const def of defs) {
    const { precision } = def as { readonly precision?: number | null };
    if (precision === undefined || precision === null || precision === 3) continue;
    throw new NoWireForm(
      `Dates and times are stored with milliseconds, which 'precision: ${precision}' doesn't allow.`,
      "Remove 'precision', or set precision: 3.",
    );
  }
}

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

export function numberShape(schema: z.core.$ZodType): ValueShape {
  const known = rangeOfChecks(schema);
  const range = known === undefined ? rangeInJsonSchema(schema) : known;
  if (range === null) return plain({ kind: "number", nullable: false });
  const isWide = range.least < INT32.min || range.most > INT32.max;
  const wire: WireScalar = { kind: "integer", nullable: false };
  return plain(isWide ? { ...wire, wide: true } : wire);
}

function rangeInJsonSchema(schema: z.core.$ZodType): IntegerRange | null {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = toJsonSchema(schema);
  if (type !== "integer") return null;
  return {
    least: Math.max(minimum ?? -Infinity, Number(exclusiveMinimum ?? -Infinity)),
    most: Math.min(maximum ?? Infinity, Number(exclusiveMaximum ?? Infinity)),
  };
}

/** Strings of digits on the wire, because JSON numbers are inexact beyond 2^53. */
export const bigintShape: ValueShape = {
  type: { kind: "bigint", nullable: false },
  absent: false,
  decode: (wire) => {
    const isWhole = typeof wire === "number" && Number.isSafeInteger(wire);
    return isWhole || (typeof wire === "string" && /^-?\d{1,1000}$/.test(wire)) ? BigInt(wire) : wire;
  },
  encode: (value) => String(value),
};

/** RFC 3339 on the wire. */
export const dateShape: ValueShape = {
  type: { kind: "datetime", nullable: false },
  absent: false,
  decode: (wire) => {
    if (typeof wire !== "string" || !/^\d{4}-\d\d-\d\dT/.test(wire)) return wire;
    const date = new Date(wire);
    return Number.isNaN(date.getTime()) ? wire : date;
  },
  encode: (value) => (value as Date).toISOString(),
};

/** Resolves a literal or an enum to the common type of its values. */
export function valuesShape(values: readonly unknown[], name: string | undefined): ValueShape {
  const present = values.filter((value) => value !== null && value !== undefined);
  const nullable = values.includes(null);
  const absent = values.includes(undefined);
  if (present.length > 0 && present.every((value) => typeof value === "string")) {
    const type = { kind: "enum" as const, nullable, values: present };
    return { type: name === undefined ? type : { ...type, name }, absent };
  }
  if (present.length > 0 && present.every((value) => typeof value === "number")) {
    const whole = present.every((value) => Number.isInteger(value));
    const wide = present.some((value) => value < INT32.min || value > INT32.max);
    return { type: { kind: whole ? "integer" : "number", nullable, ...(whole && wide ? { wide } : {}) }, absent };
  }
  if (present.length > 0 && present.every((value) => typeof value === "boolean")) {
    return { type: { kind: "boolean", nullable }, absent };
  }
  return { type: { kind: "json", nullable }, absent };
}
