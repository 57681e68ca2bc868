import { createLogName } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { EVENT_LOG, EVENTS } from "./event-tables.ts";
import { askLog, type LogStep } from "./log-step.ts";

export function placeColumn({ name }: Pick<Dialect, "name">): Sql {
  return sql.id(name === "sqlite" ? "id" : "place");
}

/** Returns the last assigned position of the log `l`. */
export function headOf({ name }: Pick<Dialect, "name">): Sql {
  if (name !== "sqlite") return sql`l.place`;
  // `sqlite_sequence` keeps its value when rows are deleted.
  return sql`coalesce((select seq from sqlite_sequence where name = ${sql.lit(EVENTS)}), 0)`;
}

export interface LogState {
  readonly name: string;
  readonly offset: number;
  /** True if committed changes have no position yet. */
  readonly isBehind: boolean;
}

/** Reads the state of the log, and creates the log if it doesn't exist. */
export async function readState(step: LogStep): Promise<LogState> {
  const { dialect } = step;
  const waiting = sql`(select id from ${sql.id(EVENTS)} where place is null order by place, id limit 1)`;
  const behind = dialect.name === "sqlite" ? sql`null` : waiting;
  const statement = sql`select l.name as c0, ${headOf(dialect)} as c1, ${behind} as c2 from ${sql.id(EVENT_LOG)} l where l.id = 1`;
  const [row] = await askLog(step, statement);
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
