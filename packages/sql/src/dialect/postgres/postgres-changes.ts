import type { TypeRules } from "../../schema/table-change.ts";

const TEXT = 'text collate "C"';

/** Which types of PostgreSQL may stand for those that a store declares, and what each holds. */
export const postgresRules: TypeRules = {
  fits: ({ type }, found) => found.type === type || (STAND_INS[type]?.test(found.type) ?? false),
  holds: (from, to) => to === TEXT || to === "json" || (WIDER[from]?.includes(to) ?? false),
  stopsCounting: true,
};

/** What other tools declare for the same values, and the store reads as well. */
const STAND_INS: Readonly<Record<string, RegExp>> = {
  [TEXT]: /^(text|character|citext|enum$|name$)/,
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

/** A value of one type as one of another. What has no such form fails, and is not cut. */
export function convertPostgres(column: string, from: string, to: string): string {
  if (to === "json") return `to_json(${column})`;
  if (WIDER[from]?.includes(to) === true) return `${column}::${to}`;
  const text = /^jsonb?$/.test(from) ? `(${column} #>> '{}')` : `${column}::text`;
  return to === TEXT ? text : `${text}::${to}`;
}
