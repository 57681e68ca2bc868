import type { EventDraft } from "../../../events/change-event.ts";
import { type LinkRule, linkRules } from "../../../model/link-rules.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import type { Filter } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import type { LinkOperation } from "../../../operation/operation.ts";
import { decide, denied, isAlways, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { matchesRow } from "../../read/match-rows.ts";
import { runHook, toItem } from "../run-hook.ts";

/** The row whose links change, and the rights to change them. */
export interface LinkSource {
  readonly resource: ResourceModel;
  readonly relation: RelationModel;
  readonly target: ResourceModel;
  readonly source: Row;
  readonly rights: readonly LinkRight[];
}

/** The decision of a `link` rule about the row on its side. */
export interface LinkRight extends LinkRule {
  readonly decision: Filter;
  /** Completes "You are not allowed to …". */
  readonly what: string;
}

/** Evaluates the rules of every relation that shows the link. */
export async function decideLink(context: OperationContext, along: RelationModel): Promise<readonly LinkRight[]> {
  const rights: LinkRight[] = [];
  for (const rule of linkRules(context.engine.model, along)) {
    const { resource, relation } = rule;
    const what = `change the ${relation.name} of this ${resource.name}`;
    const decision = await decide(context, relation.link, resource);
    refuseNever(context, decision, what);
    rights.push({ ...rule, decision, what });
  }
  return rights;
}

/** Rejects a row on one end of a link that the rights don't allow. */
export async function refuseLinkEnd(
  context: OperationContext,
  rights: readonly LinkRight[],
  end: LinkRule["end"],
  row: Row,
): Promise<void> {
  for (const { decision, resource, what, ...right } of rights) {
    if (right.end !== end || isAlways(decision)) continue;
    if (!(await matchesRow(context, resource, row, decision))) throw denied(context, what);
  }
}

/** Links or unlinks two rows within a transaction, and runs the hooks. The rights were checked before. */
export async function linkRow(
  context: OperationContext,
  operation: LinkOperation,
  place: LinkSource,
  other: Row,
  events: EventDraft[],
): Promise<void> {
  const { resource, relation, source } = place;
  const hooked = { context, operation, resource, events };
  await runHook(hooked, "link", "before", { item: toItem(resource, source) });
  const command = {
    relation,
    from: referenceOf(relation.local, source) as Key,
    to: referenceOf(relation.foreign, other) as Key,
  };
  const isChange = await context.storeOf(resource.name)[operation.kind](command, context.deadline);
  if (isChange) events.push(...linkEvents(place, other));
  await runHook(hooked, "link", "after", { item: toItem(resource, source) });
}

/** A link counts as a change of the source, and also of the target if its resource declares the relation. */
function linkEvents({ resource, relation, target, source }: LinkSource, other: Row): readonly EventDraft[] {
  const shows = [...target.relations.values()].filter(
    (inverse) =>
      inverse !== relation && inverse.through !== undefined && inverse.through.name === relation.through?.name,
  );
  return [
    ...touched(resource, source, [relation.name], keyOf(target, other)),
    ...touched(
      target,
      other,
      shows.map(({ name }) => name),
      keyOf(resource, source),
    ),
  ];
}

function touched(resource: ResourceModel, row: Row, links: readonly string[], linked: Key): readonly EventDraft[] {
  if (links.length === 0) return [];
  const key = keyOf(resource, row);
  return [{ resource: resource.name, kind: "updated", key, before: row, after: row, links, linked }];
}
