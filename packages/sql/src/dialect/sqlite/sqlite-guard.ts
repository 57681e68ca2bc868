import { sql } from "kysely";
import type { Sql } from "../dialect.ts";

/** A function of every connection of ours, which returns 1, or throws when a statement is to stop. */
export const GO_ON = "bifocal_go_on";

/** Rows between two calls. A prime, so that rows that come at regular distances are not all passed over. */
const EVERY = 31;

/** A condition that is true of every row of a table, and calls `GO_ON` now and then. Nothing else stops a statement of `node:sqlite`. */
export function guard(alias: string): Sql {
  return sql`(${sql.id(alias, "rowid")} % ${sql.lit(EVERY)} or ${sql.raw(GO_ON)}())`;
}

/** The same for a table without row ids, or a view, by any of its columns, which makes it a condition on each row. */
export function guardByChance(column: Sql): Sql {
  return sql`(random() % ${sql.lit(EVERY)} or ${sql.raw(GO_ON)}() or ${column} is null)`;
}
