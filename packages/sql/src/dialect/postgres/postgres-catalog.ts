import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { type Found, toFound } from "../../table/found.ts";
import { postgresDialect } from "./postgres-dialect.ts";
import { ask } from "../ask.ts";
import type { Dialect } from "../dialect.ts";
import { quoted } from "./quoted.ts";

/** Detects the features of the server. */
export async function discoverPostgres(connection: Connection, isHosted: boolean): Promise<Dialect> {
  const plain = postgresDialect({ isHosted, lowerCollation: undefined });
  const rows = await ask(
    connection,
    plain,
    sql`select collname from pg_collation where collname in ('und-x-icu', 'pg_c_utf8') order by collname desc`,
  );
  const [name] = rows[0] ?? [];
  return name === undefined ? plain : postgresDialect({ isHosted, lowerCollation: name as string });
}

/** Reads the columns of tables by their `fullName`. */
export async function findPostgresTables(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<Found> {
  if (names.length === 0) return new Map();
  const list = sql.join(names.map((name) => sql`(${name}::text, ${quoted(name)}::text)`));
  const rows = await ask(
    connection,
    dialect,
    sql`select n.name as c0, a.attname::text as c1, format_type(a.atttypid, a.atttypmod) as c2, (not a.attnotnull)::text as c3,
      (coalesce(c.collname, 'C') in ('C', 'POSIX', 'ucs_basic', 'C.utf8', 'C.UTF-8', 'pg_c_utf8'))::text as c4
      from (values ${list}) as n(name, quoted)
      join pg_attribute a on a.attrelid = to_regclass(n.quoted) and a.attnum > 0 and not a.attisdropped
      left join pg_collation c on c.oid = a.attcollation`,
  );
  return toFound(rows);
}
