import { sql } from "kysely";
import type { Column } from "../../table/column.ts";
import type { Sql } from "../dialect.ts";
import { printScaled, scaleOf } from "./sqlite-decimals.ts";
import { asWritten } from "./sqlite-foreign.ts";

/**
 * Returns the JSON text of a value, byte for byte as JavaScript writes it; `undefined` for types for which SQLite can't
 * do that.
 */
export function textOf(column: Column, value: Sql): Sql | undefined {
  const { field, declared } = column;
  switch (field.type.kind) {
    case "integer":
      return isInteger(declared) ? sql`cast(${value} as text)` : undefined;
    case "bigint":
      return isInteger(declared) ? sql`'"' || ${value} || '"'` : undefined;
    case "decimal":
      return scaleOf(declared) === field.type.scale
        ? sql`'"' || ${printScaled(value, field.type.scale)} || '"'`
        : undefined;
    case "boolean":
      return isInteger(declared) ? sql`case ${value} when 1 then 'true' else 'false' end` : undefined;
    case "datetime":
      return momentText(value);
    case "number":
    // SQLite writes 15 or 17 digits of a number. JavaScript writes as many as the number needs.
    case "list":
    case "object":
    case "json":
      return undefined;
    default:
      return sql`json_quote(${asWritten(column, value)})`;
  }
}

function isInteger(declared: string): boolean {
  return declared.startsWith("int");
}

/** Six digits are stored. The last three are only written if they aren't 0. */
function momentText(value: Sql): Sql {
  return sql`case when length(${value}) <> 27 then null when substr(${value}, 24, 3) = '000' then '"' || substr(${value}, 1, 23) || 'Z"' else '"' || ${value} || '"' end`;
}
