import type { Json } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Statement } from "../database.ts";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { slot } from "../statement/slot.ts";
import { EVENT_LOG, EVENTS } from "./event-tables.ts";

/** Maximum number of changes per step. */
export const STEP = 500;

const COLUMNS = ["resource", "kind", "key", "before", "after"];
const same = (value: Json): Json => value;

const log = sql.id(EVENT_LOG);
const events = sql.id(EVENTS);
/** PostgreSQL uses the index of the positions only for this order. */
const waiting = sql`select id from ${events} where place is null order by place, id limit`;

export function placeColumn({ name }: Pick<Dialect, "name">): Sql {
  return sql.id(name === "sqlite" ? "id" : "place");
}

/** Returns the last assigned position of the log `l`. */
export function headOf({ name }: Pick<Dialect, "name">): Sql {
  if (name !== "sqlite") return sql`l.place`;
  // `sqlite_sequence` keeps its value when rows are deleted.
  return sql`coalesce((select seq from sqlite_sequence where name = ${sql.lit(EVENTS)}), 0)`;
}

/**
 * The statements that the log runs after each change, compiled once. They aren't kept prepared: a plan from the time
 * when the log was empty would read the whole table.
 */
export class LogStatements {
  readonly #dialect: Dialect;
  readonly #reads = new Map<string, Statement>();
  /** Selects the name of the log, its last position, and the id of a change without a position, or null. */
  readonly state: Statement;
  /** Selects the name and the last position, and locks the log. */
  readonly lock: Statement;
  /** Selects the ids of the changes without a position. */
  readonly waiting: Statement;
  /**
   * Assigns positions to these changes, and returns the last position and their number. No row means no changes.
   * Requires the lock. PostgreSQL only.
   */
  readonly place: Statement;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    const behind = dialect.name === "sqlite" ? sql`null` : sql`(${waiting} 1)`;
    this.state = this.#compile(
      sql`select l.name as c0, ${headOf(dialect)} as c1, ${behind} as c2 from ${log} l where l.id = 1`,
    );
    this.lock = this.#compile(sql`select name as c0, place as c1 from ${log} where id = 1 for update`);
    this.waiting = this.#compile(sql`${waiting} ${sql.lit(STEP)}`);
    this.place = this.#compile(
      sql`with found as materialized (select id, row_number() over (order by id) as n from (${waiting} ${sql.lit(STEP)}) w), placed as (update ${events} e set place = l.place + found.n from found, ${log} l where e.id = found.id and l.id = 1) update ${log} set place = place + (select count(*) from found) where id = 1 and exists (select 1 from found) returning place as c0, (select count(*) from found) as c1`,
    );
  }

  /** Selects changes after a position. The values are the position and the resource, if the statement is for one. */
  read(limit: number, isOfResource: boolean): Statement {
    const key = `${limit} ${isOfResource}`;
    let statement = this.#reads.get(key);
    if (statement === undefined) this.#reads.set(key, (statement = this.#compile(this.#readOf(limit, isOfResource))));
    return statement;
  }

  #readOf(limit: number, isOfResource: boolean): Sql {
    const place = sql`e.${placeColumn(this.#dialect)}`;
    const head = headOf(this.#dialect);
    const columns = COLUMNS.map((name, index) => sql`e.${sql.id(name)} as ${sql.id(`c${index + 3}`)}`);
    const ofResource = isOfResource ? sql` and e.resource = ${slot(1, same)}` : sql``;
    return sql`select l.pruned as c0, ${head} as c1, ${place} as c2, ${sql.join(columns)} from ${log} l left join ${events} e on ${place} > ${slot(0, same)} and ${place} <= ${head}${ofResource} where l.id = 1 order by ${place} limit ${sql.lit(limit)}`;
  }

  #compile(statement: Sql): Statement {
    const { sql, parameters } = statement.compile(this.#dialect.compiler);
    return { sql, parameters, name: undefined };
  }
}
