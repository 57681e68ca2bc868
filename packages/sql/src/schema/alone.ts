import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect } from "../dialect/dialect.ts";

/** "bifocal", as a number. */
const LOCK = 0x62_69_66_6f;

/** Runs `work` while no other instance does: two that start together make the tables once. */
export async function alone(connection: Connection, dialect: Dialect, work: () => Promise<void>): Promise<void> {
  if (dialect.name === "mysql") {
    // DDL commits whatever transaction it is in, so the lock is the session's.
    await ask(connection, dialect, sql`select get_lock('bifocal', 60)`);
    try {
      await work();
    } finally {
      await ask(connection, dialect, sql`select release_lock('bifocal')`);
    }
    return;
  }
  await connection.run(dialect.name === "sqlite" ? "begin immediate" : "begin");
  try {
    if (dialect.name === "postgres")
      await ask(connection, dialect, sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`);
    await work();
    await connection.run("commit");
  } catch (thrown) {
    await Promise.resolve(connection.run("rollback")).catch(() => {});
    throw thrown;
  }
}
