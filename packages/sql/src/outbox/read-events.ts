import type { EventDraft, Json, LogPage, LogQuery, LoggedChange } from "@bifocal/core/store";
import { LINKED } from "./event-tables.ts";
import { askCompiled, type LogStep } from "./log-step.ts";

/** Uses a single statement, so that the pruned position and the changes are consistent. */
export async function readEvents(step: LogStep, { after, limit, resource }: LogQuery): Promise<LogPage> {
  const statement = step.statements.read(limit, resource !== undefined);
  const rows = await askCompiled(step, statement, resource === undefined ? [after] : [after, resource]);
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
