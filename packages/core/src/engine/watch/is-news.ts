import type { ChangeEvent } from "../../events/change-event.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { Frame } from "../frame.ts";
import { matchesRow } from "../read/match-rows.ts";
import { isNewsOfLinks } from "./is-news-of-links.ts";
import { mayRead } from "./may-read.ts";
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
  if (event.links !== undefined) return isNewsOfLinks(frame, resource, view, { ...event, links: event.links });
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

function looksAt(filter: Filter, fields: readonly string[]): boolean {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.some((inner) => looksAt(inner, fields));
    case "not":
      return looksAt(filter.filter, fields);
    case "compare":
      return fields.includes(filter.field);
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
  if (filter === undefined || after === undefined) return false;
  // Changes are kept without secrets, so a filter that looks at those cannot be evaluated on them.
  if (looksAt(filter, resource.secretFields)) return false;
  if (await matchesRow(frame, resource, after, filter)) return false;
  return before === undefined || !(await matchesRow(frame, resource, before, filter));
}

function isSame(before: Row, after: Row, name: string): boolean {
  return before[name] === after[name] || equalJson(before[name] ?? null, after[name] ?? null);
}
