import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect } from "../dialect/dialect.ts";

/** "bifocal" as a number. */
const LOCK = 0x62_69_66_6f;

/** MySQL's locks apply to the whole server, so the name includes the database. At most 64 characters. */
const MYSQL_LOCK = sql`concat('bifocal.', md5(coalesce(database(), '')))`;

/** In seconds. */
const WAIT = 60;

/**
 * Runs `work` while no other instance does, so that instances that start together create the tables once. On PostgreSQL
 * and SQLite, `work` runs in one transaction. MySQL throws after waiting `wait` seconds; PostgreSQL waits without
 * limit, and SQLite for the busy timeout of its connection.
 */
export async function alone<T>(
  connection: Connection,
  dialect: Dialect,
  work: () => Promise<T>,
  wait: number = WAIT,
): Promise<T> {
  if (dialect.name === "mysql") return underLock(connection, dialect, work, wait);
  await connection.run(dialect.name === "sqlite" ? "begin immediate" : "begin");
  try {
    if (dialect.name === "postgres")
      await ask(connection, dialect, sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`);
    const result = await work();
    await connection.run("commit");
    return result;
  } catch (thrown) {
    try {
      await connection.run("rollback");
    } catch {
      // The connection is broken, which also ends the transaction.
    }
    throw thrown;
  }
}

/** DDL commits the current transaction, so the lock belongs to the session. */
async function underLock<T>(
  connection: Connection,
  dialect: Dialect,
  work: () => Promise<T>,
  wait: number,
): Promise<T> {
  const [[taken] = []] = await ask(connection, dialect, sql`select get_lock(${MYSQL_LOCK}, ${sql.lit(wait)})`);
  if (Number(taken) !== 1)
    throw new Error(
      `Another instance has held the migration lock for ${wait} seconds. Try again when it has finished.`,
    );
  try {
    return await work();
  } finally {
    await ask(connection, dialect, sql`select release_lock(${MYSQL_LOCK})`);
  }
}
