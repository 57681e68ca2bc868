import type { StoreContext } from "@bifocal/core/store";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect, DialectName, Sql } from "../dialect/dialect.ts";
import { rollBack } from "../run.ts";

/** What one step of the log's work runs on, and until when. */
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

/** Each statement sees what was committed before it, and not what was when the transaction began. */
const BEGIN: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: ["begin isolation level read committed"],
  mysql: ["set transaction isolation level read committed", "start transaction"],
  sqlite: ["begin immediate"],
};

/** A transaction of the log's own. */
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
