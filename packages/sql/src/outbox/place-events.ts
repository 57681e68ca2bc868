import { sql } from "kysely";
import type { Sql } from "../dialect/dialect.ts";
import { EVENT_LOG, EVENTS } from "./event-tables.ts";
import { STEP } from "./log-statements.ts";
import { askCompiled, askLog, type LogStep, within } from "./log-step.ts";

/** The log after a step. */
export interface Placed {
  readonly name: string;
  readonly offset: number;
  readonly count: number;
}

/**
 * Assigns positions to committed changes in the order in which they were written. A lock on the log's row allows one
 * step at a time across all instances. Changes that commit later get later positions, so no change ever appears before
 * the last position that a reader has read. Returns undefined if the log doesn't exist.
 */
export function placeEvents(step: LogStep): Promise<Placed | undefined> {
  return within(step, async (commitWith) => {
    const [row] = await askCompiled(step, step.statements.lock);
    if (row === undefined) return undefined;
    const [name, place] = [String(row[0]), Number(row[1])];
    if (step.dialect.name !== "postgres") {
      const count = await placeRuns(step, place);
      return { name, offset: place + count, count };
    }
    // This statement begins after the lock, and so sees everything that the holder before has committed.
    const [placed = [place, 0]] = await commitWith(step.statements.place);
    return { name, offset: Number(placed[0]), count: Number(placed[1]) };
  });
}

export function isFullStep({ count }: Placed): boolean {
  return count === STEP;
}

/** MySQL can't number the rows of an update in a given order within one statement. */
async function placeRuns(step: LogStep, place: number): Promise<number> {
  const found = await askCompiled(step, step.statements.waiting);
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
