import type { TypeRules } from "../../schema/table-change.ts";

const TEXT = 'text collate "C"';

/** The PostgreSQL types that can replace the types a store declares, and the conversions that lose no values. */
export const postgresRules: TypeRules = {
  fits: ({ type }, found) => found.type === type || (STAND_INS[type]?.test(found.type) ?? false),
  holds: (from, to) => to === TEXT || to === "json" || (WIDER[from]?.includes(to) ?? false),
  stopsCounting: true,
};

/** Types that other tools declare for the same values. The store reads them as well. */
const STAND_INS: Readonly<Record<string, RegExp>> = {
  // The store never declares a decimal with a scale itself.
  [TEXT]: /^(text|character|citext|enum$|name$|numeric\()/,
  numeric: /^numeric\(/,
  "timestamp with time zone": /^timestamp/,
  json: /^jsonb$|\[\]$/,
};

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
  return to === TEXT ? text : `${text}::${to}`;
}
