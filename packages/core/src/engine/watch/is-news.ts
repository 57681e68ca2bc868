import type { ChangeEvent } from "../../events/change-event.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { OperationContext } from "../operation-context.ts";
import { matchesRow } from "../read/match-rows.ts";
import { isNewsOfLinks } from "./is-news-of-links.ts";
import { mayRead } from "./may-read.ts";
import type { SubscriberView } from "./view.ts";

/**
 * Whether a change affects what the view shows. A caller must not learn of changes to rows and fields that it can't
 * read. A row that enters or leaves the view always counts.
 */
export async function isNews(
  context: OperationContext,
  resource: ResourceModel,
  view: SubscriberView,
  event: ChangeEvent,
): Promise<boolean> {
  const { filter, ruled } = view;
  const { before, after } = event;
  if (context.system) return true;
  if (await staysHidden(context, resource, filter, event)) return false;
  if (event.links !== undefined) return isNewsOfLinks(context, resource, view, { ...event, links: event.links });
  if (event.kind !== "updated" || before === undefined || after === undefined) return true;
  const changed = [...resource.fields.values()].filter(({ name }) => !isSame(before, after, name));
  // If no visible field differs, a secret field may have changed. Without secret fields, the event has another cause,
  // so it counts.
  if (changed.length === 0) return resource.secretFields.length === 0;
  for (const { name, internal } of changed) {
    if (internal) continue;
    const readable = ruled.get(name);
    if (readable === undefined || (await mayRead(context, resource, readable, [before, after]))) return true;
  }
  if (await changesComputed(context, resource, view, event, new Set(changed.map(({ name }) => name)))) return true;
  if (filter === undefined) return false;
  return (await matchesRow(context, resource, before, filter)) !== (await matchesRow(context, resource, after, filter));
}

/** Whether a readable computed field is computed from a changed field, which may itself be hidden. */
async function changesComputed(
  context: OperationContext,
  resource: ResourceModel,
  { plan }: SubscriberView,
  { before, after }: ChangeEvent,
  changed: ReadonlySet<string>,
): Promise<boolean> {
  const rows = [before, after].filter((row) => row !== undefined);
  for (const { field } of plan.computed) {
    const { name, computation } = field;
    if (!computation.from.some((source) => changed.has(source))) continue;
    const readable = plan.byRow.find((ruled) => ruled.name === name)?.filter;
    if (readable === undefined || (await mayRead(context, resource, readable, rows))) return true;
  }
  return false;
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

/**
 * Whether the row is outside the view before and after the change. It may be visible by now; the change that brought it
 * into view reports that.
 */
async function staysHidden(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter | undefined,
  { before, after }: ChangeEvent,
): Promise<boolean> {
  if (filter === undefined || after === undefined) return false;
  // Changes are stored without secret fields, so a filter on these can't be evaluated.
  if (looksAt(filter, resource.secretFields)) return false;
  if (await matchesRow(context, resource, after, filter)) return false;
  return before === undefined || !(await matchesRow(context, resource, before, filter));
}

function isSame(before: Row, after: Row, name: string): boolean {
  return before[name] === after[name] || equalJson(before[name] ?? null, after[name] ?? null);
}
