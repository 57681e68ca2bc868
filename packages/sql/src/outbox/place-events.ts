import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect, DialectName } from "../dialect/dialect.ts";
import { EVENT_LOG, EVENTS } from "./event-tables.ts";

/** Changes that get their places in one step. */
const STEP = 500;

/** Each statement sees what was committed before it, and not what was when the transaction began. */
const BEGIN: Readonly<Record<DialectName, readonly string[]>> = {
  postgres: ["begin isolation level read committed"],
  mysql: ["set transaction isolation level read committed", "start transaction"],
  sqlite: ["begin immediate"],
};

/** A transaction of the log's own. */
export async function within<T>(
  connection: Connection,
  { name }: Pick<Dialect, "name">,
  work: () => Promise<T>,
): Promise<T> {
  for (const text of BEGIN[name]) await connection.run(text);
  try {
    const result = await work();
    await connection.run("commit");
    return result;
  } catch (thrown) {
    await Promise.resolve(connection.run("rollback")).catch(() => {});
    throw thrown;
  }
}

/**
 * Gives places to changes that have none, those that are committed by now, in the order in which they were written. One
 * step at a time over all instances, because it holds the one row of the log; a change that commits later gets a later place,
 * so nobody who reads by places ever finds one before the last that was read. Answers how many there were.
 */
export function placeEvents(connection: Connection, dialect: Dialect): Promise<number> {
  return within(connection, dialect, async () => {
    const [row] = await ask(connection, dialect, sql`select place from ${sql.id(EVENT_LOG)} where id = 1 for update`);
    const place = Number(row?.[0]);
    const found = await ask(
      connection,
      dialect,
      sql`select id from ${sql.id(EVENTS)} where place is null order by id limit ${sql.lit(STEP)}`,
    );
    if (found.length === 0) return 0;
    const ids = found.map(([id]) => Number(id));
    const cases = ids.map((id, index) => sql`when ${sql.lit(id)} then ${sql.lit(place + index + 1)}`);
    await ask(
      connection,
      dialect,
      sql`update ${sql.id(EVENTS)} set place = case id ${sql.join(cases, sql` `)} end where id in (${sql.join(ids.map((id) => sql.lit(id)))})`,
    );
    await ask(
      connection,
      dialect,
      sql`update ${sql.id(EVENT_LOG)} set place = ${sql.lit(place + ids.length)} where id = 1`,
    );
    return ids.length;
  });
}

export function isFullStep(count: number): boolean {
  return count === STEP;
}
