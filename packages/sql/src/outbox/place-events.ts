import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
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
      sql`select id from ${sql.id(EVENTS)} where place is null order by place, id limit ${sql.lit(STEP)}`,
    );
    if (found.length === 0) return 0;
    const ids = found.map(([id]) => Number(id));
    const runs = consecutive(ids);
    const isIn = ({ first, last }: Run): Sql => sql`id between ${sql.lit(first)} and ${sql.lit(last)}`;
    const cases = runs.map((run) => sql`when ${isIn(run)} then id + ${sql.lit(place + run.offset)}`);
    await askLog(
      step,
      sql`update ${sql.id(EVENTS)} set place = case ${sql.join(cases, sql` `)} end where ${sql.join(runs.map(isIn), sql` or `)}`,
    );
    await askLog(step, sql`update ${sql.id(EVENT_LOG)} set place = ${sql.lit(place + ids.length)} where id = 1`);
    return ids.length;
  });
}

export function isFullStep(count: number): boolean {
  return count === STEP;
}

/** Ids without a gap, which all get a position with the same distance from their id. */
interface Run {
  readonly first: number;
  last: number;
  /** The distance of the first id's index from it. */
  readonly offset: number;
}

/** A database evaluates one condition for each run instead of one for each id. */
function consecutive(ids: readonly number[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [index, id] of ids.entries()) {
    const run = runs.at(-1);
    if (run !== undefined && run.last === id - 1) run.last = id;
    else runs.push({ first: id, last: id, offset: index + 1 - id });
  }
  return runs;
}
