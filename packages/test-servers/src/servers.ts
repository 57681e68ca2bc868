import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mysql from "mysql2/promise";
import pg from "pg";

/** A database that one test file uses. */
export interface TestDatabase {
  readonly url: string;
  /** Deletes all rows and resets all counters. */
  readonly empty: () => Promise<void>;
  /** Drops all tables. */
  readonly clear: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

export interface TestServer {
  readonly name: "postgres" | "mysql" | "sqlite";
  /** Why its tests are skipped. Undefined in CI, where a missing server fails its tests. */
  readonly missing: string | undefined;
  readonly create: () => Promise<TestDatabase>;
}

const POSTGRES = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const MYSQL = process.env["TEST_MYSQL_URL"] ?? "mysql://root@127.0.0.1:3306";

/** Creates a name with the current time in seconds, by which databases of killed runs are recognized. */
function freshName(): string {
  return `bifocal_${Math.floor(Date.now() / 1_000)}_${randomBytes(4).toString("hex")}`;
}

/** Seconds after which a database is unused: the run that created it was killed. */
const MAX_AGE_SECONDS = 2 * 3_600;

/** Connection timeout in milliseconds. */
const CONNECTION_TIMEOUT_MS = 10_000;

function isLeftBehind(name: string): boolean {
  const [, made] = /^bifocal_(\d{10})_[0-9a-f]{8}$/.exec(name) ?? [];
  return made !== undefined && Number(made) < Date.now() / 1_000 - MAX_AGE_SECONDS;
}

/** Ignores an error because another process has already dropped the database. */
function isGone(): void {}

async function reason(name: string, url: string, connect: () => Promise<void>): Promise<string | undefined> {
  try {
    await connect();
    return undefined;
  } catch (cause) {
    const missing = `There is no ${name} at ${url}: ${String(cause)}`;
    // Fails immediately, instead of by the timeout of each test.
    if (process.env["CI"]) throw new Error(missing, { cause });
    // Printed once per test file, so that skipped tests aren't mistaken for passed ones.
    process.stderr.write(`${missing}\nTests that need it are skipped.\n`);
    return missing;
  }
}

async function withPostgres<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Deleting a few rows is much faster than `truncate`, which creates new files for each table and index. */
const EMPTY_POSTGRES = `do $$ declare one record; begin
  set local session_replication_role = replica;
  for one in select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public' loop
    execute 'delete from ' || one.name;
  end loop;
  for one in select format('%I.%I', schemaname, sequencename) as name, start_value from pg_sequences
    where schemaname = 'public' and last_value is not null loop
    perform setval(one.name, one.start_value, false);
  end loop;
end $$`;

const postgres: TestServer = {
  name: "postgres",
  missing: await reason("PostgreSQL", POSTGRES, () =>
    withPostgres(POSTGRES, async (client) => {
      const { rows } = await client.query<{ name: string }>("select datname as name from pg_database");
      for (const { name } of rows)
        if (isLeftBehind(name)) await client.query(`drop database ${name} with (force)`).catch(isGone);
    }),
  ),
  async create() {
    const name = freshName();
    await withPostgres(POSTGRES, async (client) => {
      await client.query(`create database ${name}`);
      await client.query(`alter database ${name} set synchronous_commit = off`);
    });
    const own = new URL(POSTGRES);
    own.pathname = `/${name}`;
    const url = own.href;
    return {
      url,
      empty: () => withPostgres(url, async (client) => void (await client.query(EMPTY_POSTGRES))),
      clear: () =>
        withPostgres(
          url,
          async (client) => void (await client.query("drop schema public cascade; create schema public")),
        ),
      drop: () =>
        withPostgres(POSTGRES, async (client) => void (await client.query(`drop database ${name} with (force)`))),
    };
  },
};

async function withMysql<T>(url: string, work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: CONNECTION_TIMEOUT_MS });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

/** Deletes rows instead of truncating tables, which would create their files again. */
async function emptyMysql(connection: mysql.Connection): Promise<void> {
  const [tables] = await connection.query<mysql.RowDataPacket[]>(
    `select table_name as name, max(extra like '%auto_increment%') as counts from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = database() and table_type = 'BASE TABLE' group by table_name`,
  );
  await connection.query("set foreign_key_checks = 0");
  for (const { name, counts } of tables as { name: string; counts: number }[]) {
    await connection.query("delete from ??", [name]);
    if (Number(counts) === 1) await connection.query("alter table ?? auto_increment = 1", [name]);
  }
}

const mariadb: TestServer = {
  name: "mysql",
  missing: await reason("MySQL or MariaDB", MYSQL, () =>
    withMysql(MYSQL, async (connection) => {
      const [rows] = await connection.query<mysql.RowDataPacket[]>("show databases");
      for (const name of rows.map((row) => String(Object.values(row)[0])))
        if (isLeftBehind(name)) await connection.query(`drop database ${name}`).catch(isGone);
    }),
  ),
  async create() {
    const name = freshName();
    await withMysql(MYSQL, (connection) => connection.query(`create database ${name}`));
    const url = `${MYSQL}/${name}`;
    return {
      url,
      empty: () => withMysql(url, emptyMysql),
      clear: () =>
        withMysql(MYSQL, async (connection) => {
          await connection.query(`drop database ${name}`);
          await connection.query(`create database ${name}`);
        }),
      drop: () => withMysql(MYSQL, async (connection) => void (await connection.query(`drop database ${name}`))),
    };
  },
};

const sqlite: TestServer = {
  name: "sqlite",
  missing: undefined,
  create: async () => {
    const folder = mkdtempSync(join(tmpdir(), "bifocal-"));
    const file = join(folder, "test.db");
    const remove = async (): Promise<void> => {
      for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    };
    return {
      url: `sqlite:${file}`,
      empty: remove,
      clear: remove,
      drop: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

export const servers: readonly TestServer[] = [sqlite, postgres, mariadb];
