import type { ApplyOptions } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { findTables } from "../opened.ts";
import { alone } from "../schema/alone.ts";
import type { Migration } from "./migration-files.ts";
import { MigrationError } from "./migration-error.ts";
import { dangersIn, tablesIn } from "./migration-text.ts";
import { readRecorded, record, waitingMigrations } from "./recorded.ts";
import { splitStatements } from "./split-statements.ts";

/** Seconds that an instance waits for another one that is applying migrations. */
const WAIT = 600;

/** Runs the pending migrations in order, each in its own transaction if the database supports transactional DDL. */
export async function applyMigrations(
  connection: Connection,
  dialect: Dialect,
  files: readonly Migration[],
  { allowDestructive = false, onApplied }: ApplyOptions,
): Promise<readonly string[]> {
  const mayDestroy = allowDestructive || (await isFresh(connection, dialect, files));
  const applied: string[] = [];
  await withoutReferences(connection, dialect, async () => {
    for (;;) {
      const name = await retryWhileBusy(dialect, () =>
        alone(connection, dialect, () => applyNext(connection, dialect, files, mayDestroy), WAIT),
      );
      if (name === undefined) return;
      applied.push(name);
      onApplied?.(name);
    }
  });
  await dialect.indexWords?.(connection, true);
  return applied;
}

/** Whether the database has no applied migrations and no table that they mention, so that no data can be lost. */
async function isFresh(connection: Connection, dialect: Dialect, files: readonly Migration[]): Promise<boolean> {
  if ((await readRecorded(connection, dialect)).length > 0) return false;
  const names = [...new Set(files.flatMap(({ text }) => tablesIn(text)))];
  return (await findTables(connection, dialect, names)).size === 0;
}

/** Reads the records again under the lock, because another instance may have applied the migration meanwhile. */
async function applyNext(
  connection: Connection,
  dialect: Dialect,
  files: readonly Migration[],
  mayDestroy: boolean,
): Promise<string | undefined> {
  const [next] = waitingMigrations(files, await readRecorded(connection, dialect));
  if (next === undefined) return undefined;
  const dangers = dangersIn(next.text);
  if (dangers.length > 0 && !mayDestroy) {
    const list = dangers.map((danger) => `\n- ${danger}`).join("");
    throw new MigrationError(`${next.name} is destructive. Review it, then apply it with --allow-destructive:${list}`);
  }
  await runStatements(connection, dialect, next);
  if (dialect.name === "sqlite") await checkReferences(connection, dialect, next);
  await record(connection, dialect, next);
  return next.name;
}

async function runStatements(connection: Connection, dialect: Dialect, { name, text }: Migration): Promise<void> {
  const statements = splitStatements(dialect.name, text);
  for (const [index, statement] of statements.entries()) {
    try {
      await connection.query({ sql: statement, parameters: [], name: undefined }, []);
    } catch (cause) {
      const place = `${name}: statement ${index + 1} of ${statements.length} failed: ${messageOf(cause)}`;
      throw new MigrationError(`${place}\n\n${indent(statement)}\n\n${adviceFor(dialect, index)}`, { cause });
    }
  }
}

function adviceFor({ name }: Dialect, done: number): string {
  if (name !== "mysql" || done === 0) return "The migration was rolled back. Fix it and apply again.";
  const which = done === 1 ? "Statement 1 has" : `Statements 1 to ${done} have`;
  return `${which} taken effect, and MySQL can't roll them back. Fix the failed statement, remove the completed ones from the file and apply again; or undo them by hand.`;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

/**
 * SQLite replaces tables by new ones, and deleting the old table would delete rows that reference it. Foreign keys can
 * only be disabled outside of a transaction.
 */
async function withoutReferences(connection: Connection, dialect: Dialect, work: () => Promise<void>): Promise<void> {
  if (dialect.name !== "sqlite") return work();
  await connection.run("pragma foreign_keys = off; pragma legacy_alter_table = on");
  try {
    await work();
  } finally {
    await connection.run("pragma foreign_keys = on; pragma legacy_alter_table = off");
  }
}

async function checkReferences(connection: Connection, dialect: Dialect, { name }: Migration): Promise<void> {
  const broken = await ask(connection, dialect, sql`select distinct "table", parent from pragma_foreign_key_check`);
  if (broken.length === 0) return;
  const list = broken.map(
    ([table, parent]) => `${String(table)} references rows of ${String(parent)} that don't exist`,
  );
  throw new MigrationError(`${name}: ${list.join("; ")}. The migration was rolled back.`);
}

/** In milliseconds. */
const PAUSE = 50;

/** Retries while another process writes to the file. SQLite reports that at once instead of waiting. */
async function retryWhileBusy<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  const end = Date.now() + WAIT * 1_000;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      const isBusy = dialect.name === "sqlite" && dialect.faultOf(thrown)?.kind === "retry";
      if (!isBusy || Date.now() > end) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}
