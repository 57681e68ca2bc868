import type { StoreContext } from "@bifocal/core/store";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect, DialectName, Sql } from "../dialect/dialect.ts";
import { rollBack } from "../run.ts";

/** The connection and deadline of one step of the log's maintenance. */
export interface LogStep {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly context: StoreContext;
}

export function askLog(
  { connection, dialect, context }: LogStep,
  statement: Sql,
): Promise<readonly (readonly unknown[])[]> {
  return ask(connection, dialect, statement, context);
}

/**
 * Read committed: each statement sees all transactions committed before it, instead of a snapshot from the beginning of
 * its own transaction.
 */
const BEGIN: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: ["begin isolation level read committed"],
  mysql: ["set transaction isolation level read committed", "start transaction"],
  sqlite: ["begin immediate"],
};

/** Runs `work` in a separate transaction. */
export async function within<T>({ connection, dialect, context }: LogStep, work: () => Promise<T>): Promise<T> {
  for (const text of BEGIN[dialect.name]) await connection.run(text, context);
  try {
    const result = await work();
    await connection.run("commit", context);
    return result;
  } catch (thrown) {
    await rollBack(connection);
    throw thrown;
  }
}
