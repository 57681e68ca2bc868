import type { Json, NamedRelatedValue, Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";
import type { Table } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { readValue } from "./related-value.ts";
import type { Build, Scope } from "./scope.ts";

/** Returns the columns of the requested fields in the order of the resource; by default all columns. */
export function selectColumns(table: Table, fields?: ReadonlySet<string>): readonly Column[] {
  const all = [...table.columns.values()];
  return fields === undefined ? all : all.filter(({ field }) => fields.has(field.name));
}

export function selectList(dialect: Dialect, scope: Scope, columns: readonly Column[], start = 0): readonly Sql[] {
  return columns.map(
    (column, at) => sql`${dialect.readable(column, scope.value(column.field.name))} as ${sql.id(`c${start + at}`)}`,
  );
}

/** Returns the values that a query computes from related rows, beginning with the column at `start`. */
export function selectValues(
  build: Build,
  scope: Scope,
  values: readonly NamedRelatedValue[] = [],
  start = 0,
): { readonly list: readonly Sql[]; readonly columns: readonly Column[] } {
  const read = values.map((value) => readValue(build, scope, value, buildFilter));
  return {
    list: read.map(({ select }, at) => sql`${select} as ${sql.id(`c${start + at}`)}`),
    columns: read.map(({ column }) => column),
  };
}

/** Returns whether each column is read as a number. */
export function numbersIn(columns: readonly Column[]): readonly boolean[] {
  return columns.map(({ decode }) => decode === Number);
}

export type ReadRow = (values: readonly unknown[]) => Row;

/**
 * Creates a function that converts a result to a row. `places` has the index of each column's value, or that of the
 * first one.
 */
export function rowReader(columns: readonly Column[], places: number | readonly number[] = 0): ReadRow {
  const names = columns.map(({ field }) => field.name);
  const decoders = columns.map(({ decode }) => decode);
  const indexes = typeof places === "number" ? columns.map((_, at) => places + at) : places;
  return (values) => {
    const row: Record<string, Json> = {};
    for (let at = 0; at < names.length; at++) {
      const raw = values[indexes[at] as number];
      row[names[at] as string] = raw === null || raw === undefined ? null : (decoders[at] as Column["decode"])(raw);
    }
    return row;
  };
}
