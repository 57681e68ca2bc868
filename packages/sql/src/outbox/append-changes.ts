import type { EventDraft, Json, StoreContext } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Connection } from "../database.ts";
import type { Opened } from "../opened.ts";
import { run } from "../run.ts";
import { StatementShape } from "../statement/statement-shape.ts";
import { slot } from "../statement/slot.ts";
import { EVENTS, LINKED } from "./event-tables.ts";

/** Maximum rows of one statement, because databases limit its parameters. */
const MAX_ROWS = 500;

const COLUMNS = ["resource", "kind", "key", "before", "after", "written"];
const same = (value: Json): Json => value;

/** Writes changes without a position in the log. Other transactions see them after the commit. */
export async function appendChanges(
  { dialect, statements }: Pick<Opened, "dialect" | "statements">,
  connection: Connection,
  drafts: readonly EventDraft[],
  context: StoreContext,
): Promise<void> {
  for (let start = 0; start < drafts.length; start += MAX_ROWS) {
    const rows = drafts.slice(start, start + MAX_ROWS);
    const shape = new StatementShape(dialect, `events ${rows.length}`);
    for (const draft of rows) for (const value of valuesOf(draft)) shape.value(value);
    const prepared = statements.get(shape, () => {
      const tuples = rows.map((_, row) => {
        const slots = COLUMNS.map((__, column) => slot(row * COLUMNS.length + column, same));
        return sql`(${sql.join(slots)})`;
      });
      const columns = sql.join(COLUMNS.map((name) => sql.id(name)));
      const statement = sql`insert into ${sql.id(EVENTS)} (${columns}) values ${sql.join(tuples)}`;
      return { statement, read: undefined };
    });
    if (connection.later === undefined) await run(dialect, connection, prepared, shape, { table: undefined, context });
    else connection.later(prepared.statement, shape.values);
  }
}

/**
 * Few changes concern links, so links have no columns. The kind lists them, as in `updated tags`, and `after` has one
 * more member.
 */
function valuesOf({ resource, kind, key, before, after, links = [], linked }: EventDraft): readonly Json[] {
  const now = after === undefined || linked === undefined ? after : { ...after, [LINKED]: linked };
  const rows = [before, now].map((row) => (row === undefined ? null : JSON.stringify(row)));
  return [resource, [kind, ...links].join(" "), JSON.stringify(key), ...rows, Date.now()];
}
