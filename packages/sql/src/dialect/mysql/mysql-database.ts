import { type Json, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { StatementResult, Connection, Database, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";
import { ConnectionQueue } from "../../connection-queue.ts";
import { LateSignals, CANCEL_TIMEOUT_MS } from "../late-signals.ts";
import { executeOrQuery, maxPacketOf, queryText, refuseLarge, SESSION } from "./mysql-session.ts";
import { type AnyConnection, importMysql2, type PoolOptions } from "./mysql2.ts";

export interface MysqlOptions {
  readonly url: string;
  /** Maximum number of connections. Default 10. */
  readonly max: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeout: number;
}

/** Opens a pool of `mysql2`. Dates, decimals, large integers and JSON are read as text, rows as arrays. */
export async function mysqlDatabase({ url, max, connectTimeout }: MysqlOptions): Promise<Database> {
  const mysql = await importMysql2();
  const options: PoolOptions = {
    uri: url.replace(/^mariadb:/, "mysql:"),
    connectTimeout,
    timezone: "Z",
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    charset: "utf8mb4",
    // An insert that keeps an existing pair must report that it changed nothing.
    flags: ["-FOUND_ROWS"],
    // The server's limit of 16,382 prepared statements is shared by all connections. `mysql2` closes the least recently
    // used one.
    maxPreparedStatements: 100,
    disableEval: !compilesText(),
  };
  const pool = mysql.createPool({ ...options, connectionLimit: max });
  const known = new WeakSet<object>();
  let maxPacket = Number.POSITIVE_INFINITY;
  const broken = new WeakSet<AnyConnection>();
  const signals = new LateSignals();
  const queue = new ConnectionQueue();

  async function cancel(threadId: number): Promise<void> {
    const other = await mysql.createConnection(options);
    try {
      await other.query({ sql: `kill query ${threadId}`, rowsAsArray: true });
    } finally {
      await other.end();
    }
  }

  /**
   * When the operation is aborted, the store sends a cancel request to the server. If the server doesn't react in time,
   * the connection is destroyed. In either case the connection isn't reused, because the cancel request could hit its
   * next statement.
   */
  async function watched<T>(
    connection: AnyConnection,
    answer: Promise<T>,
    context: StoreContext | undefined,
  ): Promise<T> {
    if (context === undefined) return answer;
    let cutting: NodeJS.Timeout | undefined;
    let fail: (reason: unknown) => void = () => {};
    const silence = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const stop = (): void => {
      broken.add(connection);
      void cancel(connection.threadId).catch(() => {});
      cutting = setTimeout(() => {
        connection.destroy();
        fail(context.signal?.reason);
      }, CANCEL_TIMEOUT_MS);
    };
    const watch = signals.watch({ context, stop });
    try {
      return await Promise.race([answer, silence]);
    } catch (thrown) {
      throwIfOver(context);
      throw thrown;
    } finally {
      watch.end();
      clearTimeout(cutting);
    }
  }

  async function query(
    connection: AnyConnection,
    statement: Statement,
    values: readonly Json[],
    context?: StoreContext,
  ): Promise<StatementResult> {
    if (context !== undefined) throwIfOver(context);
    const options = { sql: statement.sql, rowsAsArray: true, values: bind(statement.parameters, values) } as const;
    const isText = statement.name === undefined;
    refuseLarge(options, isText, maxPacket);
    const answer = isText ? queryText(connection, options) : executeOrQuery(connection, options);
    const [result] = await watched(connection, answer, context);
    return toAnswer(result);
  }

  async function run(connection: AnyConnection, text: string, context?: StoreContext): Promise<void> {
    for (const one of text.split(/;\s*\n/))
      if (one.trim() !== "") await watched(connection, connection.query({ sql: one, rowsAsArray: true }), context);
  }

  async function withConnection<T>(work: (connection: AnyConnection) => Promise<T>): Promise<T> {
    const turn = queue.enter();
    const connection = await pool.getConnection().finally(() => queue.leave(turn));
    let isBroken = true;
    try {
      const inner = (connection as { readonly connection?: object }).connection ?? connection;
      if (!known.has(inner)) {
        await connection.query({ sql: SESSION, rowsAsArray: true });
        maxPacket = await maxPacketOf(connection);
        known.add(inner);
      }
      const result = await work(connection);
      isBroken = false;
      return result;
    } catch (thrown) {
      isBroken = isFatal(thrown);
      throw thrown;
    } finally {
      if (isBroken || broken.has(connection)) connection.destroy();
      else connection.release();
    }
  }

  return {
    query: (statement, values, context) =>
      withConnection((connection) => query(connection, statement, values, context)),
    run: (text, context) => withConnection((connection) => run(connection, text, context)),
    session: (work) =>
      withConnection((connection) => {
        const acquired: Connection = {
          query: (statement, values, context) => query(connection, statement, values, context),
          run: (text, context) => run(connection, text, context),
        };
        return work(acquired);
      }),
    load: queue.load,
    close: () => pool.end(),
  };
}

/**
 * Returns whether the runtime compiles code from text, as `mysql2` does to parse rows. workerd doesn't, nor does Node
 * with `--disallow-code-generation-from-strings`.
 */
function compilesText(): boolean {
  try {
    return typeof Reflect.construct(Function, ["return 1"]) === "function";
  } catch {
    return false;
  }
}

/** Whether the connection can't be used any more. After a packet that is too large, the server closes it. */
function isFatal(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  return (
    ("fatal" in thrown && thrown.fatal === true) || ("code" in thrown && thrown.code === "ER_NET_PACKET_TOO_LARGE")
  );
}

function toAnswer(result: unknown): StatementResult {
  if (Array.isArray(result)) return { rows: result as unknown[][], affected: result.length };
  return { rows: [], affected: Number((result as { readonly affectedRows?: number }).affectedRows ?? 0) };
}
