import { servers, type TestServer } from "@bifocal/test-servers";
import { type Dialect, MysqlDialect, PostgresDialect, SqliteDialect } from "kysely";
import mysql from "mysql2";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";

/** An application's own connection to its database through Kysely, with the drivers' default settings. */
export interface Host {
  readonly name: TestServer["name"];
  readonly server: TestServer;
  readonly dialect: (url: string) => Dialect;
}

const DIALECTS: Readonly<Record<TestServer["name"], Host["dialect"]>> = {
  // The connections break when their database is dropped.
  postgres: (url) =>
    new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 4 }).on("error", () => {}) }),
  mysql: (url) => new MysqlDialect({ pool: mysql.createPool({ uri: url, connectionLimit: 4 }) }),
  sqlite: (url) => new SqliteDialect({ database: openSqlite(url.replace("sqlite:", "")) }),
};

export const hosts: readonly Host[] = servers.map((server) => ({
  name: server.name,
  server,
  dialect: DIALECTS[server.name],
}));

/** `node:sqlite` with the interface of `better-sqlite3`, which Kysely's dialect expects. */
function openSqlite(file: string) {
  const database = new DatabaseSync(file);
  return {
    close: () => database.close(),
    prepare(text: string) {
      const statement = database.prepare(text);
      const bound = (values: readonly unknown[]): SQLInputValue[] => values as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (values: readonly unknown[]) => statement.all(...bound(values)),
        run: (values: readonly unknown[]) => {
          const { changes, lastInsertRowid } = statement.run(...bound(values));
          return { changes, lastInsertRowid };
        },
        iterate: (values: readonly unknown[]) => statement.iterate(...bound(values)),
      };
    },
  };
}
