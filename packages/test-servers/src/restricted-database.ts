import { randomBytes } from "node:crypto";
import pg from "pg";
import { servers, type TestDatabase } from "./servers.ts";

const server = servers.find(({ name }) => name === "postgres");

/** A database of PostgreSQL with a role that owns its tables and isn't a superuser. */
export interface RestrictedDatabase extends TestDatabase {
  /** The URL of the superuser. */
  readonly superUrl: string;
}

export async function restrictedDatabase(): Promise<RestrictedDatabase> {
  const database = await server?.create();
  if (database === undefined) throw new Error("PostgreSQL is missing.");
  const role = `bifocal_${randomBytes(6).toString("hex")}`;
  await queryPostgres(database.url, `create role ${role} login; grant all on schema public to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  const admin = new URL(database.url);
  admin.pathname = "/postgres";
  return {
    ...database,
    url: url.href,
    superUrl: database.url,
    async drop() {
      await database.drop();
      await queryPostgres(admin.href, `drop role ${role}`);
    },
  };
}

/** Runs statements on a connection of their own, and returns the rows of the last one. */
export async function queryPostgres(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = (await client.query(text)) as unknown as pg.QueryResult | pg.QueryResult[];
    return ([result].flat().at(-1)?.rows ?? []) as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
