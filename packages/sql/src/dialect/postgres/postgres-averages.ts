import type { WireType } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Column } from "../../table/column.ts";
import { type Average, averageDecoder } from "../averages.ts";
import type { Sql } from "../dialect.ts";

/** More digits than the distance between a quotient and the middle between two results can have. */
const MORE_DIGITS = 20;
const DOUBLE_DIGITS = 45;

/** PostgreSQL divides decimals with at least as many digits after the point as the dividend has. */
export function average(column: Column, value: Sql, type: WireType): Average {
  const compared = averageOf(column, value, type);
  return {
    compared: { value: compared },
    read: { value: compared, readable: (one) => sql`${one}::text`, decode: averageDecoder(type) },
  };
}

function averageOf({ field }: Column, value: Sql, type: WireType): Sql {
  const quotient = (digits: number): Sql => sql`round(sum(${value})::numeric, ${sql.lit(digits)}) / count(${value})`;
  if (type.kind === "decimal") return sql`round(${quotient(type.scale + MORE_DIGITS)}, ${sql.lit(type.scale)})`;
  // The sum of a `real` would be a `real`.
  if (field.type.kind === "number") return sql`sum((${value})::double precision) / count(${value})`;
  return sql`(${quotient(DOUBLE_DIGITS)})::double precision`;
}
