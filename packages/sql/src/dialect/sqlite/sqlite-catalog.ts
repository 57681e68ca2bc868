import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { type Found, toFound } from "../../table/found.ts";
import { ask } from "../ask.ts";
import type { Dialect } from "../dialect.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { GO_ON } from "./sqlite-guard.ts";
import { wordsTable } from "./sqlite-words-index.ts";

/** Returns the dialect for a connection. Connections that the application supplied lack Bifocal's SQL functions. */
export async function discoverSqlite(connection: Connection): Promise<Dialect> {
  const plain = sqliteDialect();
  const functions = await ask(connection, plain, sql`select 1 from pragma_function_list where name = ${GO_ON}`);
  if (functions.length === 0) return plain;
  const tables = await ask(connection, plain, sql`select name from pragma_table_list where type <> 'table' or wr = 1`);
  const [[hasFullText] = []] = await ask(
    connection,
    plain,
    sql`select exists (select 1 from pragma_module_list where name = 'fts5') and (select number >= 3043 from (
      select substr(sqlite_version(), 1, instr(sqlite_version(), '.') - 1) * 1000 + substr(sqlite_version(), instr(sqlite_version(), '.') + 1) as number))`,
  );
  // SQLite ignores the case of names.
  const withoutRowId = new Set(tables.map(([name]) => String(name).toLowerCase()));
  const [[encoding] = []] = await ask(connection, plain, sql`select encoding from pragma_encoding`);
  return sqliteDialect({ withoutRowId, hasFullText: Number(hasFullText) === 1, isUtf8: encoding === "UTF-8" });
}

export async function findSqliteTables(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<Found> {
  const rows: (readonly unknown[])[] = [];
  // Tables of words have the names of their tables.
  for (const name of names.flatMap((one) => [one, wordsTable(one)])) {
    const found = await ask(
      connection,
      dialect,
      sql`select ${name} as c0, name as c1, lower(type) as c2, not ("notnull" or pk > 0) as c3, 1 as c4 from pragma_table_xinfo(${name})`,
    );
    rows.push(...found);
  }
  return toFound(rows);
}
