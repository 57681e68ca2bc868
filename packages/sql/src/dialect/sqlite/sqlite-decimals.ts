import { type Decimal, parseDecimal, printDecimal, type WireType } from "@bifocal/core/store";
import { sql } from "kysely";
import type { ColumnType } from "../../table/column.ts";
import type { Sql } from "../dialect.ts";
import { readDecimal } from "../decimals.ts";

type DecimalType = Extract<WireType, { readonly kind: "decimal" }>;

/** SQLite's integers have 64 bits, which hold any 18 digits. */
const MAX_PRECISION = 18;
/** The digits that a floating-point number keeps. */
const REAL_DIGITS = 15;

/**
 * Returns the type of a new column. It has the affinity of an integer: 12.50 is stored as 1250, and the name of the type
 * says where the point is. Throws if 64 bits can't hold all values.
 */
export function declareDecimal(field: string, { precision, scale }: DecimalType): string {
  if (precision <= MAX_PRECISION) return `decimal_int(${precision},${scale})`;
  throw new Error(
    `'${field}' has ${precision} digits. SQLite stores decimals of at most ${MAX_PRECISION} digits. Lower its 'precision', or use another database.`,
  );
}

/** Returns the scale of a column of scaled integers; undefined for other types. */
export function scaleOf(declared: string): number | undefined {
  const [, scale] = /^decimal_int\(\d+,(\d+)\)$/.exec(declared) ?? [];
  return scale === undefined ? undefined : Number(scale);
}

export function decimalColumn(type: DecimalType, declared: string): ColumnType {
  const scale = scaleOf(declared);
  if (scale === undefined) return numericColumn(type);
  return {
    encode: (value) => toScaled(parseDecimal(value as string) as Decimal, scale),
    decode: (raw) => {
      const { digits } = parseDecimal(String(raw)) as Decimal;
      return printDecimal({ digits, scale }, Math.max(scale, type.scale));
    },
    accepts: (value) => typeof toScaled(parseDecimal(value as string) as Decimal, scale) === "bigint",
  };
}

/** An existing column, whose values are floating-point numbers. */
function numericColumn(type: DecimalType): ColumnType {
  return {
    encode: (value) => value,
    decode: (raw) => readDecimal(type, raw),
    accepts: (value) => (value as string).replace(/^-?[0.]*|\./g, "").length <= REAL_DIGITS,
  };
}

/** Returns a number that isn't an integer, or an infinity, if no stored value equals it. It still compares correctly. */
function toScaled({ digits, scale }: Decimal, wanted: number): bigint | number {
  const factor = 10n ** BigInt(Math.abs(wanted - scale));
  const isExact = wanted >= scale || digits % factor === 0n;
  if (!isExact) return Number(`${digits}e${wanted - scale}`);
  const scaled = wanted >= scale ? digits * factor : digits / factor;
  return BigInt.asIntN(64, scaled) === scaled ? scaled : scaled < 0n ? -Infinity : Infinity;
}

/** Prints a scaled integer with its point. */
export function printScaled(value: Sql, scale: number): Sql {
  if (scale === 0) return sql`cast(${value} as text)`;
  const factor = sql.lit(10 ** scale);
  const fraction = sql`substr(${sql.lit("0".repeat(scale))} || (abs(${value}) % ${factor}), ${sql.lit(-scale)})`;
  return sql`(case when ${value} < 0 then '-' else '' end || (abs(${value}) / ${factor}) || '.' || ${fraction})`;
}

/** Returns the value of a column whose type changes from or to scaled integers. */
export function convertSqlite(value: Sql, from: string, to: string): Sql {
  const [old, scale] = [scaleOf(from), scaleOf(to)];
  if (scale === undefined) return sql`cast(${old === undefined ? value : printScaled(value, old)} as ${sql.raw(to)})`;
  if (old !== undefined && old <= scale) return sql`${value} * ${sql.lit(10 ** (scale - old))}`;
  const number = old === undefined ? sql`cast(${value} as real)` : sql`${value} / ${sql.raw(`1e${old}`)}`;
  return sql`cast(round(${number} * ${sql.raw(`1e${scale}`)}) as integer)`;
}

/** Whether a column of scaled integers can keep its type. */
export function fitsScaled(type: string, found: string): boolean {
  return found === type || (scaleOf(found) === scaleOf(type) && precisionOf(found) >= precisionOf(type));
}

/** Whether a column of scaled integers holds every value of another. */
export function holdsScaled(from: string, to: string): boolean {
  const [old, scale] = [scaleOf(from), scaleOf(to)];
  if (old === undefined || scale === undefined) return false;
  return scale >= old && precisionOf(to) - scale >= precisionOf(from) - old;
}

function precisionOf(declared: string): number {
  return Number(/\((\d+),/.exec(declared)?.[1] ?? 0);
}
