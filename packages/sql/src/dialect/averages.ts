import { type Decimal, type Json, parseDecimal, printDecimal, type WireType } from "@bifocal/core/store";
import type { Column } from "../table/column.ts";
import type { GroupedSum, Sql } from "./dialect.ts";

/** An aggregate in the form in which conditions and orders compare it. */
export interface ComparedAggregate {
  readonly value: Sql;
  /** Columns that `value` refers to, each an aggregate of the rows. Absent if `value` itself is an aggregate. */
  readonly parts?: Sql;
}

/** The average of a column. It has one exact value, which is the same on every store (docs/adr/0051). */
export interface Average {
  readonly compared: ComparedAggregate;
  readonly read: GroupedSum;
}

export type ComparedColumn = Pick<Column, "declared" | "encode" | "decode"> & { readonly type: WireType };

/** Returns the function that converts an average, never null, from the text or number of a driver. */
export function averageDecoder(type: WireType): (raw: unknown) => Json {
  if (type.kind !== "decimal") return Number;
  return (raw) => printDecimal(parseDecimal(String(raw)) as Decimal, type.scale);
}
