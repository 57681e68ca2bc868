import { sql } from "kysely";
import { type Column, isJson } from "../../table/column.ts";
import type { Sql } from "../dialect.ts";
import { operandType } from "./postgres-types.ts";

/**
 * Returns the JSON text of a value, byte for byte as JavaScript writes it, or NULL for a number that JavaScript formats
 * differently.
 */
export function textOf({ field, declared }: Column, value: Sql): Sql | undefined {
  const base = operandType(declared).replace(/ collate .*$/, "");
  switch (field.type.kind) {
    case "integer":
      return base === "bigint" ? sql`${value}::text` : undefined;
    case "number":
      return base === "double precision" && declared !== "real" ? numberText(value) : undefined;
    case "bigint":
      return declared === "bigint" || declared === "numeric" ? sql`'"' || ${value}::text || '"'` : undefined;
    case "decimal":
      return declared.endsWith(`,${field.type.scale})`) && base === "numeric"
        ? sql`'"' || ${value}::text || '"'`
        : undefined;
    case "boolean":
      return base === "boolean" ? sql`${value}::text` : undefined;
    case "uuid":
      return base === "uuid" ? sql`'"' || ${value}::text || '"'` : undefined;
    case "date":
      return base === "date" ? sql`'"' || ${value}::text || '"'` : undefined;
    case "datetime":
      return declared.startsWith("timestamp with time zone") ? momentText(value) : undefined;
    case "list":
    case "object":
    case "json":
      return undefined;
    default:
      return base === "text" ? sql`to_json(${value})::text` : undefined;
  }
}

/** Returns JSON that JavaScript reads as the stored form of a value. It may write a number or a list in another way. */
export function loggedText(column: Column, value: Sql): Sql | undefined {
  const { field, declared } = column;
  if (isJson(field.type)) return /^jsonb?$/.test(declared) ? sql`${value}::text` : undefined;
  const isFloat = field.type.kind === "number" && /^(real|double precision)$/.test(declared);
  // JavaScript has no -0 in JSON.
  return isFloat
    ? sql`case when ${value} = 0 then '0' else to_json(${value}::double precision)::text end`
    : textOf(column, value);
}

/** Limits numbers to the range in which PostgreSQL and JavaScript both write no exponent. */
function numberText(value: Sql): Sql {
  return sql`case when ${value} = 0 then '0' when abs(${value}) >= 1e-4 and abs(${value}) < 1e15 then ${value}::text end`;
}

function momentText(value: Sql): Sql {
  const utc = sql`${value} at time zone 'UTC'`;
  const isWhole = sql`extract(microseconds from ${value})::bigint % 1000 = 0`;
  const format = (fraction: "MS" | "US"): Sql =>
    sql`to_char(${utc}, ${sql.lit(`\\"YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"\\"`)})`;
  return sql`case when ${isWhole} then ${format("MS")} else ${format("US")} end`;
}
