import { sql } from "kysely";
import type { Dialect } from "./dialect/dialect.ts";
import type { HeldError } from "./errors.ts";
import { constraintName } from "./schema/constraint-name.ts";
import { columnOf, type Table, type Tables } from "./table/table.ts";

/** Failed attempts after which a transaction locks the tables. */
const MAX_FAILURES = 2;

/**
 * Handles rows that are inserted while a transaction deletes a row they reference. The next attempt sees them, and
 * deletes them too or fails. The engine locks the deleted row, but on PostgreSQL rows that are inserted between the
 * snapshot and the lock are invisible, and under a steady stream of inserts every attempt could fail that way. After some
 * attempts, the tables of those rows are therefore locked before the transaction takes its snapshot.
 */
export class Newcomers {
  readonly #dialect: Dialect;
  readonly #tables: Tables;
  readonly #holders = new Set<Table>();
  #count = 0;

  constructor(dialect: Dialect, tables: Tables) {
    this.#dialect = dialect;
    this.#tables = tables;
  }

  /**
   * Records a violated reference. Returns whether it belongs to the model, so that the next attempt sees the
   * referencing row.
   */
  note({ constraint }: HeldError): boolean {
    // SQLite has only one writer at a time.
    if (constraint === undefined || this.#dialect.name === "sqlite") return false;
    const holder = this.#tables.resources.find((table) => hasReference(table, constraint));
    if (holder === undefined) return false;
    this.#count++;
    this.#holders.add(holder);
    return true;
  }

  /** Returns the lock statements for the beginning of the next attempt, always in the same order. */
  locks(): readonly string[] {
    // On MySQL, reads in a transaction already lock the rows they read.
    if (this.#count < MAX_FAILURES || this.#dialect.name !== "postgres") return [];
    return [...this.#holders]
      .map(({ schema, name }) => (schema === undefined ? sql.id(name) : sql.id(schema, name)))
      .map((table) => sql`lock table ${table} in share row exclusive mode`.compile(this.#dialect.compiler).sql)
      .sort();
  }
}

function hasReference(table: Table, constraint: string): boolean {
  return [...table.resource.relations.values()].some(
    ({ kind, local }) =>
      kind === "belongsTo" &&
      constraint ===
        constraintName(
          table.name,
          local.map((field) => columnOf(table, field).name),
          "fkey",
        ),
  );
}
