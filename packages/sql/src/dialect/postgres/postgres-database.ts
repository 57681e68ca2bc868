import type { Json, StoreContext } from "@bifocal/core/store";
import type { Answer, Connection, Database, Statement } from "../../database.ts";
import { bind } from "../../statement/slot.ts";
import { type AnyClient, type AnyPool, type ClientOptions, importPg } from "./pg.ts";

export interface PostgresOptions {
  readonly url: string;
  /** How many connections at most. Default 10. */
  readonly max: number;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeout: number;
}

/** Every value as the text that the server sends: what it means is known by the model. */
const RAW = { getTypeParser: () => (text: string) => text };

/** A pool of `pg`. Values come as text, rows as arrays; time is UTC. */
export async function postgresDatabase({ url, max, connectTimeout }: PostgresOptions): Promise<Database> {
  const { Client, Pool } = await importPg();
  const options: ClientOptions = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    options: "-c timezone=UTC -c datestyle=ISO",
    application_name: "bifocal",
  };
  const pool: AnyPool = new Pool({ ...options, max });
  // A connection that breaks while nobody uses it is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});

  /** Asks the server to give up what a connection does, by another connection (PostgreSQL, 55.2.8). */
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

  async function query(
    client: AnyClient,
    statement: Statement,
    values: readonly Json[],
    context?: StoreContext,
  ): Promise<Answer> {
    const signal = context?.signal;
    signal?.throwIfAborted();
    const running = client.query({
      text: statement.sql,
      values: bind(statement.parameters, values),
      rowMode: "array",
      types: RAW,
      ...(statement.name === undefined ? {} : { name: statement.name }),
    });
    const stop = (): void => void cancel(client.processID).catch(() => {});
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const { rows, rowCount } = await running;
      return { rows, affected: rowCount ?? 0 };
    } catch (thrown) {
      signal?.throwIfAborted();
      throw thrown;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async function lend<T>(work: (client: AnyClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error): void => {
      broken = error;
    };
    client.on("error", onError);
    try {
      return await work(client);
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  return {
    query: (statement, values, context) => lend((client) => query(client, statement, values, context)),
    run: (text) => lend(async (client) => void (await client.query({ text }))),
    session: (work) =>
      lend((client) => {
        const connection: Connection = {
          query: (statement, values, context) => query(client, statement, values, context),
          run: async (text) => void (await client.query({ text })),
        };
        return work(connection);
      }),
    close: () => pool.end(),
  };
}
