import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import mysql from "mysql2/promise";
import pg from "pg";

/** A new database. `run` executes a statement as another program could. */
export interface SearchDatabase {
  readonly url: string;
  readonly run: (text: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const NAME = `bifocal_search_${process.pid}`;

/** Creates an empty database by the name that users pass in `SEARCH_DATABASES`. */
export const DATABASES: Readonly<Record<string, () => Promise<SearchDatabase>>> = { postgres, mariadb, sqlite };

async function postgres(): Promise<SearchDatabase> {
  const address = process.env["TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
  const server = new pg.Client({ connectionString: address });
  await server.connect();
  await server.query(`create database ${NAME}`);
  const url = new URL(address);
  url.pathname = `/${NAME}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    url: url.href,
    run: (text) => client.query(text),
    async close() {
      await client.end();
      await server.query(`drop database ${NAME} with (force)`);
      await server.end();
    },
  };
}

async function mariadb(): Promise<SearchDatabase> {
  const url = new URL(process.env["TEST_MYSQL_URL"] ?? "mysql://root@127.0.0.1:3306/mysql");
  const server = await mysql.createConnection(url.href);
  await server.query(`create database ${NAME} character set utf8mb4`);
  url.pathname = `/${NAME}`;
  const client = await mysql.createConnection(url.href);
  return {
    url: url.href,
    run: (text) => client.query(text),
    async close() {
      await client.end();
      await server.query(`drop database ${NAME}`);
      await server.end();
    },
  };
}

/** A file. */
function sqlite(): Promise<SearchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "bifocal-search-"));
  const file = join(folder, "search.db");
  const db = new DatabaseSync(file);
  return Promise.resolve({
    url: `sqlite:${file}`,
    run: (text) => Promise.resolve(db.exec(text)),
    close() {
      db.close();
      rmSync(folder, { recursive: true });
      return Promise.resolve();
    },
  });
}
