import type { TypeRules } from "../../schema/table-change.ts";
import { fitsDecimal, holdsDecimal } from "../decimals.ts";

const TEXT = 'text collate "C"';

/** The PostgreSQL types that can replace the types a store declares, and the conversions that lose no values. */
export const postgresRules: TypeRules = {
  fits: ({ type }, found) =>
    found.type === type || fitsDecimal(type, found.type) || (STAND_INS[type]?.test(found.type) ?? false),
  holds: (from, to) =>
    to === TEXT || to === "json" || (WIDER[from]?.includes(to) ?? false) || holdsDecimal(from, to, DIGITS),
  stopsCounting: true,
};

/** Types that other tools declare for the same values. The store reads them as well. */
const STAND_INS: Readonly<Record<string, RegExp>> = {
  // A text field can have a decimal column that another tool created.
  [TEXT]: /^(text|character|citext|enum$|name$|numeric\()/,
  numeric: /^numeric\(/,
  "timestamp with time zone": /^timestamp/,
  json: /^jsonb$|\[\]$/,
};

/** The digits of the largest value of each integer type. */
const DIGITS: Readonly<Record<string, number>> = { smallint: 5, integer: 10, bigint: 19 };

const WIDER: Readonly<Record<string, readonly string[]>> = {
  smallint: ["integer", "bigint", "numeric", "double precision"],
  integer: ["bigint", "numeric", "double precision"],
  bigint: ["numeric"],
  real: ["double precision"],
  date: ["timestamp with time zone"],
};

/**
 * Returns the expression that converts a value to another type. Values that can't be converted make the statement fail;
 * they are never truncated.
 */
export function convertPostgres(column: string, from: string, to: string): string {
  if (to === "json") return `to_json(${column})`;
  if (WIDER[from]?.includes(to) === true) return `${column}::${to}`;
  const text = /^jsonb?$/.test(from) ? `(${column} #>> '{}')` : `${column}::text`;
  if (to.startsWith("numeric(")) return exactDecimal(`${text}::numeric`, to);
  return to === TEXT ? text : `${text}::${to}`;
}

/** A cast alone would round the value. */
function exactDecimal(value: string, to: string): string {
  const failure = `('too many digits after the point: ' || ${value})::numeric`;
  return `case when ${value}::${to} = ${value} then ${value} else ${failure} end::${to}`;
}
