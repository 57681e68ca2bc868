import { type Decimal, type Json, parseDecimal, printDecimal, type WireType } from "@bifocal/core/store";
import type { Column } from "../table/column.ts";
import type { GroupedSum, Sql } from "./dialect.ts";

/** The average of a column. It has one exact value, which is the same on every store (docs/adr/0051). */
export interface Average {
  /** The average in the form in which conditions and orders compare it. */
  readonly compared: Sql;
  readonly read: GroupedSum;
}

export type ComparedColumn = Pick<Column, "declared" | "encode" | "decode"> & { readonly type: WireType };

/** Returns the function that converts an average, never null, from the text or number of a driver. */
export function averageDecoder(type: WireType): (raw: unknown) => Json {
  if (type.kind !== "decimal") return Number;
  return (raw) => printDecimal(parseDecimal(String(raw)) as Decimal, type.scale);
}
