import { sql } from "kysely";
import type { Column } from "../../table/column.ts";
import type { Sql } from "../dialect.ts";
import { asWritten } from "./sqlite-foreign.ts";

/** The JSON text of a value, to the byte as JavaScript writes it; `undefined` for types of which that cannot be had. */
export function textOf(column: Column, value: Sql): Sql | undefined {
  const { field, declared } = column;
  switch (field.type.kind) {
    case "integer":
      return isInteger(declared) ? sql`cast(${value} as text)` : undefined;
    case "bigint":
      return isInteger(declared) ? sql`'"' || ${value} || '"'` : undefined;
    case "boolean":
      return isInteger(declared) ? sql`case ${value} when 1 then 'true' else 'false' end` : undefined;
    case "datetime":
      return momentText(value);
    case "number":
    // SQLite writes 15 digits of a number, or 17, and not as many as it takes.
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

/** Six digits are stored, and the last three are only told where they are not 0. */
function momentText(value: Sql): Sql {
  return sql`case when length(${value}) <> 27 then null when substr(${value}, 24, 3) = '000' then '"' || substr(${value}, 1, 23) || 'Z"' else '"' || ${value} || '"' end`;
}
