import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";

type Values = readonly unknown[];

/**
 * Returns the rows of a subquery as a single row in which each column is a list, in the subquery's order. Many short
 * lists take less space and time this way than as separate rows. The columns must be named `c0`, `c1` and so on.
 */
export function inColumns(listOf: NonNullable<Dialect["listOf"]>, columns: readonly Column[], rows: Sql): Sql {
  const lists = columns.map((column, at) => sql`${listOf(column, sql.id("w", `c${at}`))} as ${sql.id(`c${at}`)}`);
  return sql`select ${sql.join(lists)} from (${rows}) as w`;
}

/** Converts the lists from column `start` on back to rows. */
export function fromColumns(values: Values, start = 0): readonly Values[] {
  const lists: Values[] = [];
  for (let at = start; at < values.length; at++) {
    const text = values[at];
    // The list is NULL if there are no rows.
    if (typeof text !== "string") return [];
    lists.push(JSON.parse(text) as Values);
  }
  return (lists[0] ?? []).map((_, row) => lists.map((list) => list[row]));
}

/** Counts the rows in the lists of a result. */
export function countInColumns(answer: readonly Values[]): number {
  return answer.reduce((count, values) => count + lengthOf(values.at(-1)), 0);
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? (JSON.parse(text) as Values).length : 0;
}
