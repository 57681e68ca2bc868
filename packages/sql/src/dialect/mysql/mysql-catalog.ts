import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { type Found, toFound } from "../../table/found.ts";
import { ask } from "../ask.ts";
import type { Dialect } from "../dialect.ts";
import { mysqlDialect } from "./mysql-dialect.ts";

/** Whether this is MySQL or MariaDB. */
export async function discoverMysql(connection: Connection, isHosted: boolean): Promise<Dialect> {
  const plain = mysqlDialect({ isHosted, isMariaDb: false });
  const [row] = await ask(connection, plain, sql`select version()`);
  return mysqlDialect({ isHosted, isMariaDb: /mariadb/i.test(String(row?.[0])) });
}

export async function findMysqlTables(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<Found> {
  const rows: (readonly unknown[])[] = [];
  for (const name of names) {
    const [table, schema] = name.split(".").reverse();
    const owner = schema === undefined ? sql`database()` : sql`${schema}`;
    const found = await ask(
      connection,
      dialect,
      sql`select ${name}, column_name, column_type, is_nullable = 'YES',
        collation_name is null or collation_name in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')
        from information_schema.columns where table_schema = ${owner} and table_name = ${table}`,
    );
    rows.push(...found);
  }
  return toFound(rows);
}
