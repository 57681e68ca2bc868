import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { type Found, toFound } from "../../table/found.ts";
import { ask } from "../ask.ts";
import type { Dialect } from "../dialect.ts";
import { mysqlDialect } from "./mysql-dialect.ts";

/** Newest first. The case tables of any other collation are those of Unicode 3. */
const LOWER = ["utf8mb4_0900_as_cs", "uca1400_as_cs", "utf8mb4_uca1400_as_cs", "utf8mb4_unicode_520_ci"];

/** The store never sets this mode on its own connections. */
const NO_ESCAPES =
  "The connections passed to sqlStore() use the sql_mode NO_BACKSLASH_ESCAPES, which makes values unsafe that 'mysql2' " +
  "writes into statements. Remove it from their sql_mode, or pass sqlStore() a `url`.";

/** Detects whether the server is MySQL or MariaDB, and which features it has. */
export async function discoverMysql(connection: Connection, isHosted: boolean): Promise<Dialect> {
  const plain = mysqlDialect({ isHosted, isMariaDb: false, lowerCollation: "utf8mb4_bin", hasFullText: false });
  const names = sql.join(LOWER.map((name) => sql.lit(name)));
  const [row] = await ask(
    connection,
    plain,
    sql`select version(), @@sql_mode, (select collation_name from information_schema.collations
      where collation_name in (${names}) order by field(collation_name, ${names}) limit 1),
      @@innodb_ft_min_token_size <= 4 and @@innodb_ft_max_token_size = 84`,
  );
  const [version, mode, found, fits] = row ?? [];
  if (String(mode).includes("NO_BACKSLASH_ESCAPES")) throw new Error(NO_ESCAPES);
  // MariaDB 10.10 lists collations without the name of their character set.
  const lowerCollation = `utf8mb4_${typeof found === "string" ? found.replace("utf8mb4_", "") : "bin"}`;
  const isMariaDb = /mariadb/i.test(String(version));
  return mysqlDialect({ isHosted, isMariaDb, lowerCollation, hasFullText: Number(fits) === 1 });
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
      sql`select ${name} as c0, column_name as c1, column_type as c2, is_nullable = 'YES' as c3,
        collation_name is null and numeric_precision is null or collation_name in ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin') as c4
        from information_schema.columns where table_schema = ${owner} and table_name = ${table}`,
    );
    rows.push(...found);
  }
  return toFound(rows);
}
