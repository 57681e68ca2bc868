import mysql from "mysql2/promise";
import pg from "pg";

/** Acts on the database directly, beside the application. */
export interface Operator {
  readonly rows: () => Promise<readonly { readonly id: string; readonly n: number }[]>;
  /** Locks the table until the returned function is called. */
  readonly lock: () => Promise<() => Promise<void>>;
  /** The number of waiting or running statements of the application. */
  readonly busy: () => Promise<number>;
  /** Idle open transactions of the application. */
  readonly left: () => Promise<number>;
  /** Runs a statement on the database, as an administrator would. */
  readonly say: (statement: string) => Promise<unknown>;
  /** Ends every connection of the application. */
  readonly terminate: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Returns an operator of the database that a table is in. */
export async function createOperator(url: string, table: string): Promise<Operator> {
  return url.startsWith("postgres") ? postgresOperator(url, table) : mysqlOperator(url, table);
}

async function postgresOperator(url: string, table: string): Promise<Operator> {
  const client = new pg.Client({ connectionString: url, application_name: "operator" });
  await client.connect();
  const others = "datname = current_database() and application_name <> 'operator' and pid <> pg_backend_pid()";
  return {
    rows: async () => (await client.query<{ id: string; n: number }>("select id, n from counters order by id")).rows,
    async lock() {
      const holder = new pg.Client({ connectionString: url, application_name: "operator" });
      await holder.connect();
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      return async () => {
        await holder.query("commit");
        await holder.end();
      };
    },
    async busy() {
      const { rows } = await client.query<{ n: string }>(
        `select count(*) as n from pg_stat_activity where ${others} and state = 'active' and query ilike '%${table}%'`,
      );
      return Number(rows[0]?.n);
    },
    async left() {
      const { rows } = await client.query<{ n: string }>(
        `select count(*) as n from pg_stat_activity where ${others} and state like 'idle in transaction%'`,
      );
      return Number(rows[0]?.n);
    },
    say: (statement) => client.query(statement),
    terminate: async () =>
      void (await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`)),
    close: () => client.end(),
  };
}

async function mysqlOperator(url: string, table: string): Promise<Operator> {
  const connection = await mysql.createConnection(url);
  const own = new Set<number>([connection.threadId]);
  type Row = mysql.RowDataPacket;
  const processes = async (): Promise<Row[]> => {
    const [rows] = await connection.query<Row[]>(
      "select id, command, info from information_schema.processlist where db = database()",
    );
    return rows.filter(({ id }) => !own.has(Number(id)));
  };
  return {
    async rows() {
      const [rows] = await connection.query<Row[]>("select id, n from counters order by id");
      return rows as { id: string; n: number }[];
    },
    async lock() {
      const holder = await mysql.createConnection(url);
      own.add(holder.threadId);
      await holder.query(`lock tables ${table} write`);
      return async () => {
        await holder.query("unlock tables");
        await holder.end();
      };
    },
    busy: async () =>
      (await processes()).filter(
        ({ command, info }) => command !== "Sleep" && String(info).toLowerCase().includes(table),
      ).length,
    async left() {
      const ids = (await processes()).filter(({ command }) => command === "Sleep").map(({ id }) => Number(id));
      const [rows] = await connection.query<Row[]>(
        "select trx_mysql_thread_id as id from information_schema.innodb_trx",
      );
      return rows.filter(({ id }) => ids.includes(Number(id))).length;
    },
    say: (statement) => connection.query(statement),
    async terminate() {
      for (const { id } of await processes()) await connection.query(`kill ${Number(id)}`).catch(() => {});
    },
    close: () => connection.end(),
  };
}
