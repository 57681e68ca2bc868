import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { findTables } from "../opened.ts";
import { textOf } from "../schema/create-tables.ts";
import { createTable } from "../schema/print-table.ts";
import { migrationTable } from "../schema/system-tables.ts";
import type { Migration } from "./migration-files.ts";
import { MigrationError } from "./migration-error.ts";

/** A migration that the database has recorded as applied. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/**
 * Returns the applied migrations in the order of their application. Returns an empty list if the table doesn't exist
 * yet.
 */
export async function readRecorded(connection: Connection, dialect: Dialect): Promise<readonly AppliedMigration[]> {
  const { name } = migrationTable(dialect);
  if (!(await findTables(connection, dialect, [name])).has(name)) return [];
  const rows = await ask(
    connection,
    dialect,
    sql`select name, checksum from ${sql.table(name)} order by applied_at, name`,
  );
  return rows.map(([own, checksum]) => ({ name: String(own), checksum: String(checksum) }));
}

export async function record(connection: Connection, dialect: Dialect, { name, checksum }: Migration): Promise<void> {
  const table = migrationTable(dialect);
  if (!(await findTables(connection, dialect, [table.name])).has(table.name)) await createRecords(connection, dialect);
  const values = sql.join([sql.lit(name), sql.lit(checksum), sql.lit(new Date().toISOString())]);
  await ask(
    connection,
    dialect,
    sql`insert into ${sql.table(table.name)} (name, checksum, applied_at) values (${values})`,
  );
}

async function createRecords(connection: Connection, dialect: Dialect): Promise<void> {
  for (const statement of createTable(dialect, migrationTable(dialect))) {
    await connection.run(textOf(dialect, statement));
  }
}

/**
 * Returns the migrations that aren't recorded as applied. Throws `MigrationError` if a file was changed after it was
 * applied.
 */
export function waitingMigrations(
  files: readonly Migration[],
  recorded: readonly AppliedMigration[],
): readonly Migration[] {
  const changed = changedMigrations(files, recorded);
  if (changed.length > 0) throw new MigrationError(changed.join("\n"));
  const known = new Set(recorded.map(({ name }) => name));
  return files.filter(({ name }) => !known.has(name));
}

export function changedMigrations(
  files: readonly Migration[],
  recorded: readonly AppliedMigration[],
): readonly string[] {
  const checksums = new Map(recorded.map(({ name, checksum }) => [name, checksum]));
  return files
    .filter(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
    .map(({ name }) => `${name} was changed after it was applied. Restore the file and write a new migration.`);
}
