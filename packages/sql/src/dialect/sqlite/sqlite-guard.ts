import { sql } from "kysely";
import type { Sql } from "../dialect.ts";

/** An SQL function on all connections of the store. It returns 1, or `STOP` if the statement must stop. */
export const GO_ON = "bifocal_go_on";

/** The integer whose `abs()` fails. An error that the function throws would block Deno for good. */
export const STOP = -(2n ** 63n);

/** Rows between two calls. It is prime, so that rows at regular distances aren't all skipped. */
const EVERY = 31;

/**
 * Returns a condition that is true for every row of a table and calls `GO_ON` for some of them. `node:sqlite` has no
 * other way to stop a statement.
 */
export function guard(alias: string): Sql {
  return sql`(${sql.id(alias, "rowid")} % ${sql.lit(EVERY)} or abs(${sql.raw(GO_ON)}()))`;
}

/**
 * Does the same for a view or a table without row ids. Referring to any column makes SQLite evaluate the condition for
 * each row.
 */
export function guardByChance(column: Sql): Sql {
  return sql`(random() % ${sql.lit(EVERY)} or abs(${sql.raw(GO_ON)}()) or ${column} is null)`;
}
