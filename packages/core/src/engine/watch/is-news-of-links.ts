import type { ChangeEvent } from "../../events/change-event.ts";
import type { Key, RelationModel, ResourceModel } from "../../model/model.ts";
import { type Filter, notFilter } from "../../operation/filter.ts";
import { decide, isAlways } from "../access/decide.ts";
import type { OperationContext } from "../operation-context.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { storeFilter } from "../read/rewrite-related.ts";
import { readVisible } from "../run-get.ts";
import { mayRead } from "./may-read.ts";
import type { SubscriberView } from "./view.ts";

interface LinkEvent extends ChangeEvent {
  readonly links: readonly string[];
}

/**
 * Returns whether a subscriber that sees the row learns that it was linked or unlinked. It must also see the other row
 * now, or see this row because of such links. If the key of the other row is unknown, only relations to public rows
 * count.
 */
export async function isNewsOfLinks(
  context: OperationContext,
  resource: ResourceModel,
  { filter, ruled }: SubscriberView,
  { before, after, links, linked }: LinkEvent,
): Promise<boolean> {
  const rows = [before, after].filter((row) => row !== undefined);
  for (const name of links) {
    const relation = resource.relations.get(name);
    // The relation was removed from the model since.
    if (relation === undefined) continue;
    const readable = ruled.get(name);
    // Without a rule, both ends of the relation are public.
    if (readable === undefined) return true;
    if ((await mayRead(context, resource, readable, rows)) && (await isVisible(context, relation, linked))) return true;
  }
  return filter !== undefined && linked !== undefined && mayDecide(context, resource, filter, { links, linked });
}

async function isVisible(
  context: OperationContext,
  relation: RelationModel,
  linked: Key | undefined,
): Promise<boolean> {
  const target = resourceOf(context.engine.model, relation.target);
  if (isAlways(await decide(context, target.access.read, target))) return true;
  return linked !== undefined && (await readVisible(context, target, linked)) !== undefined;
}

/**
 * Returns whether the link can bring the row into view or take it out: the filter follows the relation to rows like the
 * other one.
 */
async function mayDecide(
  context: OperationContext,
  resource: ResourceModel,
  filter: Filter,
  link: Readonly<Required<Pick<ChangeEvent, "links" | "linked">>>,
): Promise<boolean> {
  switch (filter.kind) {
    case "and":
    case "or":
      for (const inner of filter.filters) if (await mayDecide(context, resource, inner, link)) return true;
      return false;
    case "not":
      return mayDecide(context, resource, filter.filter, link);
    case "related": {
      if (!link.links.includes(filter.relation)) return false;
      const { target: name } = resource.relations.get(filter.relation) as RelationModel;
      const target = resourceOf(context.engine.model, name);
      const decisive = filter.quantifier === "every" ? notFilter(filter.filter) : filter.filter;
      const where = await storeFilter(context, target, decisive);
      const query = { resource: target, keys: [link.linked], filter: where };
      return (await context.storeOf(name).byKeys(query, context.deadline)).length > 0;
    }
    default:
      return false;
  }
}
