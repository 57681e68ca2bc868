import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { type Found, toFound } from "../../table/found.ts";
import { ask } from "../ask.ts";
import type { Dialect } from "../dialect.ts";
import { LOWER, sqliteDialect } from "./sqlite-dialect.ts";

/** What this connection can do. */
export async function discoverSqlite(connection: Connection): Promise<Dialect> {
  const plain = sqliteDialect({ hasLower: false });
  const rows = await ask(connection, plain, sql`select 1 from pragma_function_list where name = ${LOWER}`);
  return sqliteDialect({ hasLower: rows.length > 0 });
}

export async function findSqliteTables(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<Found> {
  const rows: (readonly unknown[])[] = [];
  for (const name of names) {
    const found = await ask(
      connection,
      dialect,
      sql`select ${name} as c0, name as c1, lower(type) as c2, not "notnull" as c3, 1 as c4 from pragma_table_xinfo(${name})`,
    );
    rows.push(...found);
  }
  return toFound(rows);
}
