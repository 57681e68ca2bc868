import { createLogName } from "@bifocal/core/store";
import { sql } from "kysely";
import { EVENT_LOG } from "./event-tables.ts";
import { askCompiled, askLog, type LogStep } from "./log-step.ts";

export interface LogState {
  readonly name: string;
  readonly offset: number;
  /** True if committed changes have no position yet. */
  readonly isBehind: boolean;
}

/** Reads the state of the log, and creates the log if it doesn't exist. */
export async function readState(step: LogStep): Promise<LogState> {
  const [row] = await askCompiled(step, step.statements.state);
  if (row !== undefined) return { name: String(row[0]), offset: Number(row[1]), isBehind: row[2] !== null };
  await begin(step);
  return readState(step);
}

/** If several instances start at once, only one insert takes effect. */
async function begin(step: LogStep): Promise<void> {
  const name = createLogName();
  const columns = sql.join(["id", "name", "place", "pruned"].map((column) => sql.id(column)));
  const row = sql`${sql.id(EVENT_LOG)} (${columns}) values (1, ${sql.lit(name)}, 0, 0)`;
  const statement =
    step.dialect.name === "mysql" ? sql`insert ignore into ${row}` : sql`insert into ${row} on conflict do nothing`;
  await askLog(step, statement);
}
