import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";

type Values = readonly unknown[];

/**
 * The rows of a subquery as one row, in which each column is a list, in the order of the subquery: for many short lists
 * less to send, and to read, than a row of values each. The columns are those named `c0` and so on.
 */
export function inColumns(listOf: NonNullable<Dialect["listOf"]>, columns: readonly Column[], rows: Sql): Sql {
  const lists = columns.map((column, at) => sql`${listOf(column, sql.id("w", `c${at}`))} as ${sql.id(`c${at}`)}`);
  return sql`select ${sql.join(lists)} from (${rows}) as w`;
}

/** The rows again, of the lists from the `start`th value on. */
export function fromColumns(values: Values, start = 0): readonly Values[] {
  const lists: Values[] = [];
  for (let at = start; at < values.length; at++) {
    const text = values[at];
    // Of no rows there is no list.
    if (typeof text !== "string") return [];
    lists.push(JSON.parse(text) as Values);
  }
  return (lists[0] ?? []).map((_, row) => lists.map((list) => list[row]));
}

/** How many rows there are in an answer. */
export function countInColumns(answer: readonly Values[]): number {
  return answer.reduce((count, values) => count + lengthOf(values.at(-1)), 0);
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? (JSON.parse(text) as Values).length : 0;
}
