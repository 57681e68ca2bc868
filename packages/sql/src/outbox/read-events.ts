import type { EventDraft, Json, LogPage, LogQuery, LoggedChange } from "@bifocal/core/store";
import { sql } from "kysely";
import { EVENT_LOG, EVENTS, LINKED } from "./event-tables.ts";
import { askLog, type LogStep } from "./log-step.ts";
import { headOf, placeColumn } from "./log-state.ts";

const COLUMNS = ["resource", "kind", "key", "before", "after"];

/** Uses a single statement, so that the pruned position and the changes are consistent. */
export async function readEvents(step: LogStep, { after, limit, resource }: LogQuery): Promise<LogPage> {
  const { dialect } = step;
  const place = sql`e.${placeColumn(dialect)}`;
  const columns = COLUMNS.map((name, index) => sql`e.${sql.id(name)} as ${sql.id(`c${index + 3}`)}`);
  const ofResource = resource === undefined ? sql`` : sql` and e.resource = ${resource}`;
  const rows = await askLog(
    step,
    sql`select l.pruned as c0, ${headOf(dialect)} as c1, ${place} as c2, ${sql.join(columns)} from ${sql.id(EVENT_LOG)} l left join ${sql.id(EVENTS)} e on ${place} > ${after} and ${place} <= ${headOf(dialect)}${ofResource} where l.id = 1 order by ${place} limit ${sql.lit(limit)}`,
  );
  const [first] = rows;
  if (first === undefined || Number(first[0]) > after) return { kind: "lost" };
  const changes = rows.filter((row) => row[2] !== null).map(toChange);
  const isFull = changes.length === limit;
  return { kind: "page", changes, offset: isFull ? (changes.at(-1) as LoggedChange).offset : Number(first[1]) };
}

function toChange([, , offset, resource, kind, key, before, after]: readonly unknown[]): LoggedChange {
  const [what, ...links] = String(kind).split(" ");
  const { [LINKED]: linked, ...now } = after === null ? {} : (parse(after) as Readonly<Record<string, Json>>);
  const draft: EventDraft = {
    resource: String(resource),
    kind: what as EventDraft["kind"],
    key: parse(key) as EventDraft["key"],
    ...(before === null ? {} : { before: parse(before) as Readonly<Record<string, Json>> }),
    ...(after === null ? {} : { after: now }),
    ...(links.length === 0 ? {} : { links }),
    ...(linked === undefined ? {} : { linked: linked as EventDraft["key"] }),
  };
  return { offset: Number(offset), draft };
}

function parse(text: unknown): Json {
  return JSON.parse(String(text)) as Json;
}
