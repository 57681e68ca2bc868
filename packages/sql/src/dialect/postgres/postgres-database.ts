import { type Json, type StoreContext, throwIfOver } from "@bifocal/core/store";
import type { StatementResult, Connection, Database, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";
import { ConnectionQueue } from "../../connection-queue.ts";
import { LateSignals, CANCEL_TIMEOUT_MS } from "../late-signals.ts";
import { type AnyClient, type AnyPool, type ClientOptions, importPg } from "./pg.ts";
import { isStale } from "./postgres-faults.ts";
import { type Around, PostgresQuery } from "./postgres-query.ts";
import { PostgresReads } from "./postgres-reads.ts";
import { PostgresSession } from "./postgres-session.ts";
import type { TenantSetting } from "../../tenant-setting.ts";
import { PreparedNames } from "./prepared-names.ts";
import { RowMessages } from "./row-messages.ts";

export interface PostgresOptions {
  readonly url: string;
  /** Maximum number of connections. Default 10. */
  readonly max: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeout: number;
  /** Sets the tenant of each statement for the policies of its tables. */
  readonly tenants?: TenantSetting | undefined;
}

/** Opens a pool of `pg`. Values are read as text, rows as arrays; times are in UTC. */
export async function postgresDatabase({ url, max, connectTimeout, tenants }: PostgresOptions): Promise<Database> {
  const { Client, Pool } = await importPg();
  const options: ClientOptions = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    // `extra_float_digits=1` keeps all digits of numbers, whatever the database's setting. A transaction that stalls
    // loses its locks after 10 s.
    options: "-c timezone=UTC -c datestyle=ISO -c extra_float_digits=1 -c idle_in_transaction_session_timeout=10000",
    application_name: "bifocal",
    keepAlive: true,
  };
  class RowClient extends Client {
    constructor(given: ClientOptions) {
      super(given);
      RowMessages.read(this.connection);
    }
  }
  // Idle connections stay open: starting a timer on each release costs more than keeping a few connections.
  const pool: AnyPool = new Pool({ ...options, max, idleTimeoutMillis: 0, Client: RowClient });
  // The pool replaces a broken connection. Without listeners, its error would end the process.
  pool.on("error", () => {});
  const broken = new WeakMap<AnyClient, Error>();
  const preparedOf = new WeakMap<AnyClient, PreparedNames>();
  pool.on("connect", (client) => {
    preparedOf.set(client, new PreparedNames());
    client.on("error", (error) => void broken.set(client, error));
  });
  const signals = new LateSignals();
  const queue = new ConnectionQueue();

  /** Cancels the current statement of a connection, with a request over another connection (PostgreSQL, 55.2.8). */
  async function cancel(pid: number | undefined): Promise<void> {
    if (pid === undefined) return;
    const other = new Client(options);
    try {
      await other.connect();
      await other.query({ text: "select pg_cancel_backend($1)", values: [pid] });
    } finally {
      await other.end();
    }
  }

  function ask(
    client: AnyClient,
    statement: Statement,
    values: readonly Json[],
    context?: StoreContext,
    around?: Around,
  ): Promise<StatementResult> {
    const prepared = preparedIn(client);
    const bound = bind(statement.parameters, values);
    const query = new PostgresQuery(statement, bound, prepared, around, tenants?.of(context));
    client.query(query);
    return watched(client, query.answer, context);
  }

  /**
   * When the operation is aborted, the store sends a cancel request to the server. If the server doesn't react in time,
   * the connection is destroyed. In either case the connection isn't reused, because the cancel request could hit its
   * next statement.
   */
  function watch(client: AnyClient, context: StoreContext, onStop?: () => void): () => void {
    let cutting: NodeJS.Timeout | undefined;
    const stop = (): void => {
      onStop?.();
      broken.set(client, new Error("The statement was canceled."));
      void cancel(client.processID).catch(() => {});
      cutting = setTimeout(() => client.connection.stream.destroy(), CANCEL_TIMEOUT_MS);
    };
    const watching = signals.watch({ context, stop });
    return () => {
      watching.end();
      clearTimeout(cutting);
    };
  }

  function watched<T>(client: AnyClient, answer: Promise<T>, context: StoreContext | undefined): Promise<T> {
    if (context === undefined) return answer;
    const end = watch(client, context);
    return answer.then(
      (answered) => {
        end();
        return answered;
      },
      (thrown: unknown) => {
        end();
        // A statement that was prepared before a column changed its type would keep failing on this connection.
        if (isStale(thrown)) markBroken(client, thrown);
        throwIfOver(context);
        throw thrown;
      },
    );
  }

  function acquire(): Promise<AnyClient> {
    return new Promise((resolve, reject) => {
      pool.connect((error, client) => {
        if (client === undefined) reject(error ?? new Error("The pool returned no connection."));
        else resolve(client);
      });
    });
  }

  /** Acquires a connection and counts the caller as waiting until then. */
  function acquireInTurn(): Promise<AnyClient> {
    const turn = queue.enter();
    return acquire().finally(() => queue.leave(turn));
  }

  const release = (client: AnyClient): void => client.release(broken.get(client));

  const preparedIn = (client: AnyClient): PreparedNames => preparedOf.get(client) as PreparedNames;
  const markBroken = (client: AnyClient, error: Error): void => void broken.set(client, error);
  const reads = new PostgresReads({ max, acquire, queue, release, markBroken, preparedOf: preparedIn, watch, tenants });

  /** Runs one statement on any free connection. */
  async function query(
    statement: Statement,
    values: readonly Json[],
    context?: StoreContext,
  ): Promise<StatementResult> {
    if (context !== undefined) throwIfOver(context);
    if (statement.isRead === true) return reads.read(statement, values, context);
    const client = await acquireInTurn();
    try {
      return await ask(client, statement, values, context);
    } finally {
      release(client);
    }
  }

  async function session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await acquireInTurn();
    const own = new PostgresSession({
      ask: (statement, values, context, around) => ask(client, statement, values, context, around),
      run: (text, context) => watched(client, client.query(text), context),
    });
    try {
      return await work(own);
    } finally {
      release(client);
    }
  }

  return {
    query,
    session,
    run: (text, context) => session(async (connection) => connection.run(text, context)),
    load: queue.load,
    close: () => pool.end(),
  };
}
