import type { WireType } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Column } from "../../table/column.ts";
import type { ComparedAggregate, ComparedColumn } from "../averages.ts";
import type { GroupedSum, Sql } from "../dialect.ts";
import { halvesDecoder, sumDecoder } from "../sums.ts";
import { scaleOf } from "./sqlite-decimals.ts";
import { decodeSum, encodeSum, halves, sumAsDouble, sumAsText } from "./sqlite-halves.ts";

/** A sum of 64-bit integers would fail if it exceeds 64 bits, so the halves of each integer are added up separately. */
export function sum(column: Column, value: Sql): GroupedSum {
  const scale = wideScale(column);
  const readable = (one: Sql): Sql => one;
  if (scale === undefined) return { value: sql`sum(${value})`, readable, decode: sumDecoder(column.field) };
  const text = sql`sum(${value} >> 32) || ':' || sum(${value} & 4294967295)`;
  return { value: text, readable, decode: halvesDecoder(scale) };
}

export function comparedSum(column: Column, value: Sql): ComparedAggregate {
  if (wideScale(column) === undefined) return { value: sql`sum(${value})` };
  // Operands are integers that doubles represent.
  const isInteger = column.field.type.kind === "integer";
  return { parts: halves(value), value: isInteger ? sumAsDouble : sumAsText };
}

/** Returns the column as which a sum is compared; `undefined` if it is a number. */
export function sumAs(column: Column, type: WireType): ComparedColumn | undefined {
  const scale = wideScale(column);
  if (scale === undefined || type.kind === "integer") return undefined;
  return {
    type,
    declared: "text",
    encode: (value) => encodeSum(value as string, scale),
    decode: (raw) => decodeSum(raw, scale),
  };
}

/** Returns the digits after the point of a column of 64-bit integers; `undefined` for other columns. */
function wideScale({ field: { type }, declared }: Column): number | undefined {
  if (type.kind === "decimal") return scaleOf(declared);
  return type.kind === "bigint" || (type.kind === "integer" && type.wide === true) ? 0 : undefined;
}
