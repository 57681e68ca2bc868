import type { Json, StoreGroupTerm, StoreMeasure } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { columnOf } from "../table/table.ts";
import type { Scope } from "./scope.ts";

/** A column of a statement that groups rows. */
export interface GroupColumn {
  readonly value: Sql;
  /** Returns the value of a group in a form that `decode` reads. */
  readonly readable: (value: Sql) => Sql;
  /** Converts a value of the driver, never null. */
  readonly decode: (raw: unknown) => Json;
}

export function keyColumn(dialect: Dialect, scope: Scope, { field, part }: StoreGroupTerm): GroupColumn {
  const column = columnOf(scope.table, field);
  const value = scope.value(field);
  if (part !== undefined) return { ...dialect.datePart(column, value, part), decode: String };
  const { decode } = column;
  return { value: dialect.ordered(column, value), readable: (one) => dialect.readable(column, one), decode };
}

export function measureColumn(dialect: Dialect, scope: Scope, measure: StoreMeasure): GroupColumn {
  const same = (value: Sql): Sql => value;
  if (measure.kind === "rows") return { value: sql`count(*)`, readable: same, decode: Number };
  const { kind, field } = measure;
  const column = columnOf(scope.table, field);
  const value = scope.value(field);
  if (kind === "values") return { value: sql`count(${value})`, readable: same, decode: Number };
  if (kind === "sum") return dialect.sum(column, value);
  const extreme = sql.raw(kind);
  return {
    value: sql`${extreme}(${dialect.ordered(column, value)})`,
    readable: (one) => dialect.readable(column, one),
    decode: column.decode,
  };
}
