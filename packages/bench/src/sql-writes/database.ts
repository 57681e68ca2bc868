import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineApi, silentLog } from "@bifocal/core";
import { type SqlStore, sqlStore } from "@bifocal/sql";
import pg from "pg";
import { authors } from "../rows.ts";
import { settings } from "../settings.ts";
import { author, countedEdition, edition } from "./resources.ts";

const SERVER = process.env["BENCH_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const PREFIX = "bifocal_bench_writes_";

export type DatabaseName = "postgres" | "sqlite";

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: SERVER });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the name of the database that a process uses. */
export function databaseName(pid: number): string {
  return `${PREFIX}${pid}`;
}

/** Deletes the databases of all contenders. */
export async function deleteDatabases(): Promise<void> {
  await asAdmin(async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where starts_with(datname, $1)",
      [PREFIX],
    );
    for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`);
  });
}

/**
 * Creates the database of this process, with Bifocal's tables and 100 authors. Returns its URL. Code by hand writes into
 * the same tables, so that rows, events and indexes are equal.
 */
export async function createDatabase(kind: DatabaseName, { isCounted = false, suffix = "" } = {}): Promise<string> {
  const name = `${databaseName(process.pid)}${suffix}`;
  if (kind === "postgres") await asAdmin((client) => client.query(`create database ${name}`));
  const url =
    kind === "postgres"
      ? SERVER.replace(/\/[^/]*$/, `/${name}`)
      : join(mkdtempSync(join(process.env["BENCH_SQLITE_FOLDER"] ?? tmpdir(), "bifocal-bench-")), "books.db");
  const { api } = openApi(url, isCounted);
  await api.ready;
  for (const row of authors) await api.local.author.create(row);
  await api.close();
  return url;
}

export function openApi(url: string, isCounted: boolean) {
  const store: SqlStore = sqlStore({ url, max: 10, autoCreate: true });
  const resources = [author, isCounted ? countedEdition : edition];
  const api = defineApi({ ...settings, resources, store, log: silentLog });
  return { api, store };
}
