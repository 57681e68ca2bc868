import type { ChangeEvent } from "../../events/change-event.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import { equalJson } from "../../util/equal-json.ts";
import { isAlways, isNever } from "../access/decide.ts";
import type { Frame } from "../frame.ts";
import { matchesRow } from "../read/match-rows.ts";
import type { View } from "./view.ts";

/**
 * Whether a change is any of what the view shows: what happens to rows and fields that a caller may not read is not its to
 * hear of. A row that came into view, or left it, is news, whatever moved it.
 */
export async function isNews(frame: Frame, resource: ResourceModel, view: View, event: ChangeEvent): Promise<boolean> {
  const { filter, ruled } = view;
  const { before, after } = event;
  if (frame.system) return true;
  if (await staysHidden(frame, resource, filter, event)) return false;
  if (event.links !== undefined) return isNewsOfLinks(frame, resource, view, event, event.links);
  if (event.kind !== "updated" || before === undefined || after === undefined) return true;
  const changed = [...resource.fields.values()].filter(({ name }) => !isSame(before, after, name));
  // Where nothing is to be seen it was a secret, or its writer knows what it is about.
  if (changed.length === 0) return resource.secretFields.length === 0;
  for (const { name, internal } of changed) {
    if (internal) continue;
    const readable = ruled.get(name);
    if (readable === undefined || (await mayRead(frame, resource, readable, [before, after]))) return true;
  }
  if (filter === undefined) return false;
  return (await matchesRow(frame, resource, before, filter)) !== (await matchesRow(frame, resource, after, filter));
}

/** The row is as it was; only who sees that it is linked hears of it, or whoever sees the row because of such links. */
async function isNewsOfLinks(
  frame: Frame,
  resource: ResourceModel,
  { filter, ruled }: View,
  { before, after }: ChangeEvent,
  links: readonly string[],
): Promise<boolean> {
  if (filter !== undefined && goesAlong(filter, links)) return true;
  const rows = [before, after].filter((row) => row !== undefined);
  for (const name of links) {
    const readable = ruled.get(name);
    if (readable === undefined || (await mayRead(frame, resource, readable, rows))) return true;
  }
  return false;
}

function goesAlong(filter: Filter, relations: readonly string[]): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.some((inner) => goesAlong(inner, relations));
    case "not":
      return goesAlong(filter.filter, relations);
    case "related":
      return relations.includes(filter.relation);
    default:
      return false;
  }
}

/** By the change itself: the row may be shown by now, and what brought it into view tells so. */
async function staysHidden(
  frame: Frame,
  resource: ResourceModel,
  filter: Filter | undefined,
  { before, after }: ChangeEvent,
): Promise<boolean> {
  // Changes are told without secrets, so what looks at those cannot be asked about them.
  if (filter === undefined || after === undefined || resource.secretFields.length > 0) return false;
  if (await matchesRow(frame, resource, after, filter)) return false;
  return before === undefined || !(await matchesRow(frame, resource, before, filter));
}

async function mayRead(
  frame: Frame,
  resource: ResourceModel,
  readable: Filter,
  rows: readonly Row[],
): Promise<boolean> {
  if (isAlways(readable) || isNever(readable)) return isAlways(readable);
  for (const row of rows) if (await matchesRow(frame, resource, row, readable)) return true;
  return false;
}

function isSame(before: Row, after: Row, name: string): boolean {
  return before[name] === after[name] || equalJson(before[name] ?? null, after[name] ?? null);
}
