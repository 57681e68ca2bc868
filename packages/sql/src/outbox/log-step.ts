import type { Json, StoreContext } from "@bifocal/core/store";
import type { Connection, Statement } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect, DialectName, Sql } from "../dialect/dialect.ts";
import { rollBack } from "../run.ts";
import type { LogStatements } from "./log-statements.ts";

/** The connection and deadline of one step of the log's maintenance. */
export interface LogStep {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly context: StoreContext;
  readonly statements: LogStatements;
}

type Rows = readonly (readonly unknown[])[];

/** Compiles a statement, runs it and returns its rows. */
export function askLog({ connection, dialect, context }: LogStep, statement: Sql): Promise<Rows> {
  return ask(connection, dialect, statement, context);
}

/** Runs a statement that is already compiled, and returns its rows. */
export async function askCompiled(
  { connection, context }: LogStep,
  statement: Statement,
  values: readonly Json[] = [],
): Promise<Rows> {
  return (await connection.query(statement, values, context)).rows;
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

/** Ends a transaction with a statement, and returns its rows. */
export type CommitWith = (statement: Statement) => Promise<Rows>;

/** Runs `work` in a separate transaction. It is committed afterwards, unless `work` has already done that. */
export async function within<T>(step: LogStep, work: (commitWith: CommitWith) => Promise<T>): Promise<T> {
  const { connection, dialect, context } = step;
  for (const text of BEGIN[dialect.name]) {
    if (connection.begin === undefined) await connection.run(text, context);
    else connection.begin(text);
  }
  let isCommitted = false;
  const commitWith: CommitWith = async (statement) => {
    if (connection.commitWith === undefined) return askCompiled(step, statement);
    isCommitted = true;
    return (await connection.commitWith(statement, [], context)).rows;
  };
  try {
    const result = await work(commitWith);
    if (!isCommitted) await connection.run("commit", context);
    return result;
  } catch (thrown) {
    await rollBack(connection);
    throw thrown;
  }
}
