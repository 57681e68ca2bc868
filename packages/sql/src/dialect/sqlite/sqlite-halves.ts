import { type Decimal, parseDecimal, printDecimal } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Sql } from "../dialect.ts";

/** The number that the upper halves count. */
export const UNIT = sql.raw(String(2n ** 32n));

const MAX_HIGH = 2n ** 62n;
const HIGH_DIGITS = 19;
const LOW_DIGITS = 10;

/**
 * Adds up the upper and the lower halves of 64-bit integers separately, because their sum can exceed 64 bits. It is
 * `h * UNIT + l` with `0 <= l < UNIT`, and `n` is the number of values.
 */
export function halves(value: Sql): Sql {
  const low = sql`sum(${value} & 4294967295)`;
  return sql`sum(${value} >> 32) + (${low} >> 32) as h, ${low} & 4294967295 as l, count(${value}) as n`;
}

/** The sum of halves as a double, rounded once. */
export const sumAsDouble: Sql = sql`h * ${sql.raw("4294967296.0")} + l`;

/** The sum of halves as a text. The upper half counts up from the least one, so that texts have the order of sums. */
export const sumAsText: Sql = sql`case when n > 0 then printf(${sql.lit(`%0${HIGH_DIGITS}d%0${LOW_DIGITS}d`)}, h + ${sql.raw(String(MAX_HIGH))}, l) end`;

/** Returns an operand for `sumAsText` in units of the last of `scale` digits. */
export function encodeSum(text: string, scale: number): string {
  const { units, isExact } = floorUnits(parseDecimal(text) as Decimal, scale);
  const high = (units >> 32n) + MAX_HIGH;
  if (high < 0n) return "";
  if (high >= 2n * MAX_HIGH) return "~";
  const low = BigInt.asUintN(32, units);
  // A number between two sums comes after the text of the lesser one.
  return `${pad(high, HIGH_DIGITS)}${pad(low, LOW_DIGITS)}${isExact ? "" : "~"}`;
}

export function decodeSum(raw: unknown, scale: number): string {
  const text = String(raw);
  const high = BigInt(text.slice(0, HIGH_DIGITS)) - MAX_HIGH;
  return printDecimal({ digits: (high << 32n) + BigInt(text.slice(HIGH_DIGITS)), scale });
}

function floorUnits({ digits, scale }: Decimal, wanted: number): { readonly units: bigint; readonly isExact: boolean } {
  if (scale <= wanted) return { units: digits * 10n ** BigInt(wanted - scale), isExact: true };
  const factor = 10n ** BigInt(scale - wanted);
  const rest = ((digits % factor) + factor) % factor;
  return { units: (digits - rest) / factor, isExact: rest === 0n };
}

function pad(value: bigint, digits: number): string {
  return String(value).padStart(digits, "0");
}
