import { sql } from "kysely";
import { EVENT_LOG, EVENTS } from "./event-tables.ts";
import { headOf, placeColumn } from "./log-statements.ts";
import { askLog, type LogStep, within } from "./log-step.ts";

/** Maximum number of changes that one step deletes, because it blocks other steps of the log. */
const STEP = 2_000;

export interface Keeping {
  /** In seconds. */
  readonly keepFor: number;
  readonly most: number;
}

/**
 * Deletes some of the changes that are older than `keepFor` or exceed `most`, and returns their number. Changes without
 * a position are kept. Records the position from which the log is complete.
 */
export function pruneEvents(step: LogStep, { keepFor, most }: Keeping): Promise<number> {
  const { dialect } = step;
  const place = placeColumn(dialect);
  const lock = dialect.name === "sqlite" ? sql`` : sql` for update`;
  return within(step, async () => {
    const [state] = await askLog(
      step,
      sql`select pruned as c0, ${headOf(dialect)} as c1 from ${sql.id(EVENT_LOG)} l where l.id = 1${lock}`,
    );
    if (state === undefined) return 0;
    const [pruned, head] = [Number(state[0]), Number(state[1])];
    const end = Math.min(head, pruned + STEP);
    const since = Date.now() - keepFor * 1_000;
    const [young] = await askLog(
      step,
      sql`select ${place} as c0 from ${sql.id(EVENTS)} where ${place} > ${sql.lit(pruned)} and ${place} <= ${sql.lit(end)} and written >= ${sql.lit(since)} order by ${place} limit 1`,
    );
    const old = young === undefined ? end : Number(young[0]) - 1;
    const last = Math.max(old, Math.min(end, head - most));
    if (last <= pruned) return 0;
    await askLog(step, sql`delete from ${sql.id(EVENTS)} where ${place} <= ${sql.lit(last)}`);
    await askLog(step, sql`update ${sql.id(EVENT_LOG)} set pruned = ${sql.lit(last)} where id = 1`);
    return last - pruned;
  });
}

export function isFullPruning(count: number): boolean {
  return count === STEP;
}
