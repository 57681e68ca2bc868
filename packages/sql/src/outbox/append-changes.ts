import type { EventDraft, Json, StoreContext } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { jsonLength } from "../operations/json-length.ts";
import type { Opened } from "../opened.ts";
import { run } from "../run.ts";
import { StatementShape } from "../statement/statement-shape.ts";
import { slot } from "../statement/slot.ts";
import { EVENTS, LINKED } from "./event-tables.ts";

/** Maximum rows of one statement, because databases limit its parameters. */
const MAX_ROWS = 500;

/** Maximum characters of their values, because MySQL limits the bytes of a statement. */
const MAX_LENGTH = 2_000_000;

const COLUMNS = ["resource", "kind", "key", "before", "after", "written"];
const same = (value: Json): Json => value;

/**
 * Writes changes without a position in the log. Other transactions see them after the commit. `texts` has the JSON of the
 * rows after the changes, if it is known.
 */
export async function appendChanges(
  { dialect, statements }: Pick<Opened, "dialect" | "statements">,
  connection: Connection,
  drafts: readonly EventDraft[],
  context: StoreContext,
  texts?: readonly string[],
): Promise<void> {
  for (const rows of batchesOf(drafts, texts)) {
    const shape = new StatementShape(dialect, `events ${rows.length}`);
    for (const values of rows) for (const value of values) shape.value(value);
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

/** Returns the values of each change, for one statement after the other. */
function* batchesOf(
  drafts: readonly EventDraft[],
  texts: readonly string[] | undefined,
): Generator<readonly (readonly Json[])[]> {
  let batch: (readonly Json[])[] = [];
  let length = 0;
  for (const [at, draft] of drafts.entries()) {
    const values = valuesOf(draft, texts?.[at]);
    const own = jsonLength(values, MAX_LENGTH);
    if (batch.length === MAX_ROWS || (batch.length > 0 && length + own > MAX_LENGTH)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(values);
    length += own;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Few changes concern links, so links have no columns. The kind lists them, as in `updated tags`, and `after` has one
 * more member.
 */
function valuesOf(
  { resource, kind, key, before, after, links = [], linked }: EventDraft,
  text: string | undefined,
): readonly Json[] {
  const now = after === undefined || linked === undefined ? after : { ...after, [LINKED]: linked };
  return [
    resource,
    [kind, ...links].join(" "),
    JSON.stringify(key),
    before === undefined ? null : JSON.stringify(before),
    text ?? (now === undefined ? null : JSON.stringify(now)),
    Date.now(),
  ];
}
