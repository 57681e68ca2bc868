import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";

type Values = readonly unknown[];

/** A column of the rows. `parent`: the place of the parent's value that all rows have in it, so that it needs no list. */
export interface ListColumn {
  readonly column: Column;
  readonly parent: number | undefined;
}

/**
 * Returns the rows of a subquery as a single row in which each column is a list, in the subquery's order. Many short
 * lists take less space and time this way than as separate rows. The columns must be named `c0`, `c1` and so on.
 */
export function inColumns(listOf: NonNullable<Dialect["listOf"]>, columns: readonly ListColumn[], rows: Sql): Sql {
  const lists = columns.flatMap(({ column, parent }, at) =>
    parent === undefined ? [sql`${listOf(column, sql.id("w", `c${at}`))} as ${sql.id(`c${at}`)}`] : [],
  );
  return sql`select ${sql.join(lists)} from (${rows}) as w`;
}

/** Converts the lists from place `start` on back to rows. */
export function fromColumns(values: Values, columns: readonly ListColumn[], start: number): readonly Values[] {
  const lists: (Values | undefined)[] = [];
  let length = 0;
  let next = start;
  for (const { parent } of columns) {
    const text = parent === undefined ? values[next++] : undefined;
    // The list is NULL if there are no rows.
    if (parent === undefined && typeof text !== "string") return [];
    const list = parent === undefined ? (JSON.parse(text as string) as Values) : undefined;
    if (list !== undefined) length = list.length;
    lists.push(list);
  }
  return Array.from({ length }, (_, row) =>
    lists.map((list, at) => (list === undefined ? values[columns[at]?.parent as number] : list[row])),
  );
}

/** Counts the rows in the lists of a result. */
export function countInColumns(answer: readonly Values[]): number {
  return answer.reduce((count, values) => count + lengthOf(values.at(-1)), 0);
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? (JSON.parse(text) as Values).length : 0;
}
