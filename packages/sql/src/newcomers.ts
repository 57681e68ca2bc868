import { sql } from "kysely";
import type { Dialect } from "./dialect/dialect.ts";
import type { HeldError } from "./errors.ts";
import { constraintName } from "./schema/constraint-name.ts";
import { columnOf, type Table, type Tables } from "./table/table.ts";

/** Attempts after which a transaction keeps newcomers out. */
const PATIENCE = 2;

/**
 * Rows that came while a transaction was deleting what they point at. The next attempt sees them, and deletes them too or
 * refuses. Under a steady stream of inserts on PostgreSQL there would always be another one, so the tables they come to are
 * locked after some attempts, before the transaction takes its snapshot.
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

  /** Whether the next attempt can see what holds the row: that is a reference of the model. */
  note({ constraint }: HeldError): boolean {
    // One transaction writes at a time.
    if (constraint === undefined || this.#dialect.name === "sqlite") return false;
    const holder = this.#tables.resources.find((table) => hasReference(table, constraint));
    if (holder === undefined) return false;
    this.#count++;
    this.#holders.add(holder);
    return true;
  }

  /** Statements for the beginning of the next attempt, always in the same order. */
  locks(): readonly string[] {
    // On MySQL reads within a transaction lock what they read.
    if (this.#count < PATIENCE || this.#dialect.name !== "postgres") return [];
    return [...this.#holders]
      .map(({ schema, name }) => (schema === undefined ? sql.id(name) : sql.id(schema, name)))
      .map((table) => sql`lock table ${table} in share row exclusive mode`.compile(this.#dialect.compiler).sql)
      .sort();
  }
}

function hasReference(table: Table, constraint: string): boolean {
  return [...table.resource.relations.values()].some(
    ({ kind, local }) =>
      kind === "belongsTo" && constraint === constraintName(table.name, [columnOf(table, local).name], "fkey"),
  );
}
