import { catchMaybePromise, mapMaybePromise } from "@bifocal/core/internal";
import { type MaybePromise, type Row, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { StatementResult, Connection, Database } from "./database.ts";
import type { Dialect } from "./dialect/dialect.ts";
import { conflict, HeldError, RetryError, toError } from "./errors.ts";
import { type Recording, recording } from "./explain/recording.ts";
import type { PreparedStatement } from "./statement/statements.ts";
import type { Newcomers } from "./newcomers.ts";
import type { StatementShape } from "./statement/statement-shape.ts";
import type { Table } from "./table/table.ts";

/** The table and the operation of a statement. */
export interface StatementRun {
  readonly table: Table | undefined;
  readonly context: StoreContext;
  /** The rows that it writes. */
  readonly rows?: readonly Row[];
}

/** Runs a statement with the values of a shape. Errors are converted for callers. */
export function run<Read>(
  dialect: Dialect,
  connection: Connection,
  prepared: PreparedStatement<Read>,
  shape: StatementShape,
  { table, context, rows }: StatementRun,
): MaybePromise<StatementResult> {
  const notes = recording();
  const ask = (): MaybePromise<StatementResult> => connection.query(prepared.statement, shape.values, context);
  return catchMaybePromise(notes === undefined ? ask : () => timed(notes, prepared, shape, ask), (thrown) => {
    throw noted(connection, toError(dialect, table, thrown, rows));
  });
}

function timed(
  { statements }: Recording,
  { statement }: Pick<PreparedStatement<unknown>, "statement">,
  { values }: StatementShape,
  ask: () => MaybePromise<StatementResult>,
): MaybePromise<StatementResult> {
  const start = performance.now();
  return mapMaybePromise(ask(), (answer) => {
    const milliseconds = performance.now() - start;
    statements.push({ statement, values, milliseconds, rows: answer.affected });
    return answer;
  });
}

/** Records an error that must end the transaction, even if other code catches it. */
export function noted(connection: Connection, error: unknown): unknown {
  if (connection instanceof WatchedConnection) connection.failure ??= { error };
  return error;
}

/** Maximum number of attempts without a deadline. */
const MAX_ATTEMPTS = 20;
/** Maximum number of attempts to delete a row that is referenced by rows outside the model. */
const MAX_DELETE_ATTEMPTS = 4;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [4, 250];

/**
 * Runs `work` between `begin` and `commit`. If it conflicts with another transaction, everything is rolled back and
 * retried after a pause, until the operation's deadline.
 */
export function inTransaction<T>(
  database: Database,
  dialect: Dialect,
  context: StoreContext,
  work: (connection: Connection) => Promise<T>,
  newcomers?: Newcomers,
): Promise<T> {
  const attempt = (): Promise<T> => tryOnce(database, dialect, context, work, newcomers?.locks() ?? []);
  return untilFree(context, attempt, newcomers);
}

/** Retries `work` with increasing pauses while it fails because of conflicts. */
export async function untilFree<T>(
  context: StoreContext,
  work: () => MaybePromise<T>,
  newcomers?: Newcomers,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (thrown) {
      const { signal } = context;
      const isHeld = thrown instanceof HeldError && newcomers?.note(thrown) !== true;
      if (isHeld ? tries >= MAX_DELETE_ATTEMPTS : !(thrown instanceof RetryError || thrown instanceof HeldError))
        throw thrown;
      if (signal === undefined && tries === MAX_ATTEMPTS) throw thrown;
      const most = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** tries);
      await new Promise((resolve) => setTimeout(resolve, most / 2 + (Math.random() * most) / 2));
      signal?.throwIfAborted();
    }
  }
}

/**
 * Runs `work` that waits only for its connection in a transaction, like `inTransaction`. Its first attempt shares the
 * commit with other writes if the database supports that.
 */
export function inSharedTransaction<T>(
  database: Database,
  dialect: Dialect,
  context: StoreContext,
  work: (connection: Connection) => Promise<T>,
  newcomers?: Newcomers,
): Promise<T> {
  if (database.shareCommit === undefined) return inTransaction(database, dialect, context, work, newcomers);
  let isFirst = true;
  const attempt = (): Promise<T> => {
    if (!isFirst) return tryOnce(database, dialect, context, work, newcomers?.locks() ?? []);
    isFirst = false;
    return tryShared(database, dialect, context, work);
  };
  return untilFree(context, attempt, newcomers);
}

async function tryShared<T>(
  database: Database,
  dialect: Dialect,
  context: StoreContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  throwIfOver(context);
  try {
    return await (database.shareCommit as NonNullable<Database["shareCommit"]>)((connection) =>
      watch(connection, context, work),
    );
  } catch (thrown) {
    throw toTransactionError(dialect, thrown);
  }
}

async function tryOnce<T>(
  database: Database,
  dialect: Dialect,
  context: StoreContext,
  work: (connection: Connection) => Promise<T>,
  locks: readonly string[],
): Promise<T> {
  context.signal?.throwIfAborted();
  const translate = (thrown: unknown): never => {
    throw toTransactionError(dialect, thrown);
  };
  return database
    .session(async (connection) => {
      if (connection.begin === undefined) await connection.run(dialect.begin, context);
      else connection.begin(dialect.begin);
      try {
        for (const lock of locks) await connection.run(lock, context);
        const result = await watch(connection, context, work);
        await connection.run("commit", context);
        return result;
      } catch (thrown) {
        await rollBack(connection);
        throw thrown;
      }
    })
    .catch(translate);
}

/** The table of a constraint that is deferred until the commit isn't known. */
function toTransactionError(dialect: Dialect, thrown: unknown): unknown {
  if (dialect.faultOf(thrown)?.kind !== "unique") return toError(dialect, undefined, thrown);
  return conflict(thrown);
}

/** Runs the work of a transaction. Throws its first failure, even if `work` has caught it. */
async function watch<T>(
  connection: Connection,
  context: StoreContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const watched = new WatchedConnection(connection);
  try {
    const result = await work(watched);
    // Catching the error doesn't undo the failure: the database may have rolled back the transaction.
    if (watched.failure !== undefined) throw watched.failure.error;
    throwIfOver(context);
    return result;
  } catch (thrown) {
    // If a conflict with another transaction came first, report it, whatever error followed from it.
    const isFirst = watched.failure?.error instanceof RetryError || isConsequence(thrown);
    throw watched.failure !== undefined && isFirst ? watched.failure.error : thrown;
  } finally {
    watched.isOver = true;
  }
}

/** After a failure, PostgreSQL rejects all statements until the transaction ends: `in_failed_sql_transaction`. */
function isConsequence(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "25P02";
}

/**
 * Records the first failure. Unusable once its transaction has ended, because the connection may already serve another
 * one.
 */
class WatchedConnection implements Connection {
  readonly query: Connection["query"];
  readonly run: Connection["run"];
  readonly later?: NonNullable<Connection["later"]>;
  failure: { readonly error: unknown } | undefined;
  isOver = false;

  constructor(connection: Connection) {
    const own = (): Connection => {
      if (this.isOver) throw new Error("The transaction has ended. Its store can't be used any more.");
      // After a deadlock, MySQL has already ended the transaction, and would commit each following statement
      // separately.
      if (this.failure?.error instanceof RetryError) throw this.failure.error;
      return connection;
    };
    this.query = (statement, values, context) => own().query(statement, values, context);
    this.run = (text, context) => own().run(text, context);
    if (connection.later !== undefined) this.later = connection.later.bind(connection);
  }
}

/** In milliseconds. */
const ROLLBACK_TIME = 1_000;

/** Rolls back a failed transaction, with its own deadline. */
export async function rollBack(connection: Connection): Promise<void> {
  try {
    await connection.run("rollback", { signal: AbortSignal.timeout(ROLLBACK_TIME) });
  } catch {
    // The connection is broken, which also ends the transaction.
  }
}
