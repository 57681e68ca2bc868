import { sql } from "kysely";
import { type Column, isText } from "../../table/column.ts";
import type { Sql } from "../dialect.ts";

const NUMERIC = /int|real|floa|doub|dec|num/;

/**
 * Reads text as text even if the existing column has a numeric type. Such a column stores whole numbers as integers,
 * which may be too large for JavaScript.
 */
export function asWritten({ field: { type }, declared }: Column, value: Sql): Sql {
  if (isText(type) && NUMERIC.test(declared)) return sql`cast(${value} as text)`;
  return type.kind === "number" && declared !== "real" ? sql`cast(${value} as real)` : value;
}

/** Converts datetimes in existing columns to the format of the store. `current_timestamp` writes another format. */
export function asOurs({ field, declared }: Column, value: Sql): Sql {
  if (field.type.kind !== "datetime" || declared === "text") return value;
  const point = sql`case when instr(${value}, '.') > 0 then '' else '.' end`;
  return sql`(substr(replace(replace(${value}, ' ', 'T'), 'Z', '') || ${point} || '000000', 1, 26) || 'Z')`;
}
