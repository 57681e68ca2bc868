import { sql } from "kysely";
import { type Column, isText } from "../../table/column.ts";
import type { Sql } from "../dialect.ts";

const NUMERIC = /int|real|floa|doub|dec|num/;

/** Text that somebody else's column made a number of, as text: it may be too large for a number of JavaScript. */
export function asWritten({ field, declared }: Column, value: Sql): Sql {
  return isText(field.type) && NUMERIC.test(declared) ? sql`cast(${value} as text)` : value;
}

/** Moments in columns that are not ours, which have no type `datetime`, in our form: `current_timestamp` writes another. */
export function asOurs({ field, declared }: Column, value: Sql): Sql {
  if (field.type.kind !== "datetime" || declared === "text") return value;
  const point = sql`case when instr(${value}, '.') > 0 then '' else '.' end`;
  return sql`(substr(replace(replace(${value}, ' ', 'T'), 'Z', '') || ${point} || '000000', 1, 26) || 'Z')`;
}
