import { sql } from "kysely";
import { EVENT_LOG, EVENTS } from "./event-tables.ts";
import { askLog, type LogStep, within } from "./log-step.ts";

/** Maximum number of changes per step. */
const STEP = 500;

/**
 * Assigns positions to committed changes in the order in which they were written, and returns their number. A lock on
 * the log's row allows one step at a time across all instances. Changes that commit later get later positions, so no
 * change ever appears before the last position that a reader has read.
 */
export function placeEvents(step: LogStep): Promise<number> {
  return within(step, async () => {
    const [row] = await askLog(step, sql`select place from ${sql.id(EVENT_LOG)} where id = 1 for update`);
    const place = Number(row?.[0]);
    const found = await askLog(
      step,
      sql`select id from ${sql.id(EVENTS)} where place is null order by id limit ${sql.lit(STEP)}`,
    );
    if (found.length === 0) return 0;
    const ids = found.map(([id]) => Number(id));
    const cases = ids.map((id, index) => sql`when ${sql.lit(id)} then ${sql.lit(place + index + 1)}`);
    await askLog(
      step,
      sql`update ${sql.id(EVENTS)} set place = case id ${sql.join(cases, sql` `)} end where id in (${sql.join(ids.map((id) => sql.lit(id)))})`,
    );
    await askLog(step, sql`update ${sql.id(EVENT_LOG)} set place = ${sql.lit(place + ids.length)} where id = 1`);
    return ids.length;
  });
}

export function isFullStep(count: number): boolean {
  return count === STEP;
}
