import type { Json } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, ListOperand, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";

/** Returns the condition that two lists of values are equal, by position. */
export function allEqual(one: readonly Sql[], other: readonly Sql[]): Sql {
  return sql.join(
    one.map((value, at) => sql`${value} = ${other[at] as Sql}`),
    sql` and `,
  );
}

/** Returns one value, or a row of several: `(a, b)`. */
export function rowOf(values: readonly Sql[]): Sql {
  return values.length === 1 ? (values[0] as Sql) : sql`(${sql.join(values)})`;
}

/** Returns a function that picks a part of a key with several values. */
export function partAt(at: number): (key: Json) => Json {
  return (key) => (key as readonly Json[])[at] as Json;
}

/** Returns the condition that some values are in a list of keys. */
export function isInKeys(dialect: Dialect, columns: readonly Column[], values: readonly Sql[], list: ListOperand): Sql {
  if (columns.length > 1) return dialect.isInRows(columns, values, list);
  return dialect.isIn(columns[0] as Column, values[0] as Sql, list);
}

/** Returns the lists of a lateral join, one for each column. Undefined if the dialect has no such operand. */
export function operandLists(
  { operandList }: Dialect,
  columns: readonly Column[],
  index: number,
): readonly Sql[] | undefined {
  if (operandList === undefined) return undefined;
  if (columns.length === 1) return [operandList(columns[0] as Column, index)];
  return columns.map((column, at) => operandList(column, index, partAt(at)));
}
