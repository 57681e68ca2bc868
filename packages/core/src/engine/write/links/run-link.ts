import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { EventDraft } from "../../../events/change-event.ts";
import { type LinkRule, linkRules } from "../../../model/link-rules.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import type { Filter } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import type { LinkOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { decide, denied, isAlways, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { matchesRow } from "../../read/match-rows.ts";
import { readVisible } from "../../run-get.ts";
import { notFound } from "../../../lowering/not-found.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { requireWrites } from "../checks/check-input.ts";
import { runIdempotently } from "../idempotency/run-idempotently.ts";
import { runHook, toItem } from "../run-hook.ts";

/** Links or unlinks two rows, both of which the caller must see. Repeating it has no effect. */
export async function runLink(
  context: OperationContext,
  operation: LinkOperation,
): Promise<ItemOutcome | NothingOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  const relation = resource.relations.get(operation.relation) as RelationModel;
  const target = resourceOf(context.engine.model, relation.target);
  requireWrites(context, resource);
  const rights = await decideLink(context, relation);
  const { value, isReplay } = await runIdempotently<null>(
    context,
    resource,
    operation.idempotency,
    async (inner, events) => {
      const source = await readVisible(inner, resource, operation.key);
      if (source === undefined) throw notFound(resource);
      await refuseRow(inner, rights, "source", source);
      const { more = [], ...first } = operation;
      const place = { resource, relation, target, source, rights };
      const keys = [operation.target, ...more];
      // All rows are checked before the first hook runs.
      const targets: Row[] = [];
      for (const key of keys) targets.push(await requireTarget(inner, place, key));
      for (const [index, other] of targets.entries()) {
        await linkOne(inner, { ...first, target: keys[index] as Key }, place, other, events);
      }
      return { value: null, row: source };
    },
  );
  const { key, selection } = operation;
  if (selection === undefined) return { kind: "nothing", key };
  if (isReplay) return answerReplay(context, resource, key, selection);
  return answerRow(context, resource, value.row as Row, selection);
}

interface Place {
  readonly resource: ResourceModel;
  readonly relation: RelationModel;
  readonly target: ResourceModel;
  readonly source: Row;
  readonly rights: readonly LinkRight[];
}

/** The decision of a `link` rule about the row on its side. */
interface LinkRight extends LinkRule {
  readonly decision: Filter;
  /** Completes "You are not allowed to …". */
  readonly what: string;
}

/** Evaluates the rules of every relation that shows the link. */
async function decideLink(context: OperationContext, along: RelationModel): Promise<readonly LinkRight[]> {
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

async function refuseRow(
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

async function linkOne(
  context: OperationContext,
  operation: LinkOperation,
  place: Place,
  other: Row,
  events: EventDraft[],
): Promise<void> {
  const { resource, relation, target, source } = place;
  const hooked = { context, operation, resource, events };
  await runHook(hooked, "link", "before", { item: toItem(resource, source) });
  const command = {
    relation,
    from: source[relation.local] as string | number,
    to: other[relation.foreign] as string | number,
  };
  const isChange = await context.storeOf(resource.name)[operation.kind](command, context.deadline);
  if (isChange) {
    const own = touched(resource, source, [relation.name], keyOf(target, other));
    events.push(...own, ...inverseEvents(place, other));
  }
  await runHook(hooked, "link", "after", { item: toItem(resource, source) });
}

/** Returns a target row that the caller can link. A hidden row is treated like a missing one. */
async function requireTarget(context: OperationContext, { target, rights }: Place, key: Key): Promise<Row> {
  const row = await readTarget(context, target, key);
  await refuseRow(context, rights, "target", row);
  return row;
}

async function readTarget(context: OperationContext, target: ResourceModel, key: Key): Promise<Row> {
  try {
    const row = await readVisible(context, target, key);
    if (row !== undefined) return row;
  } catch (thrown) {
    if (!(thrown instanceof BifocalError)) throw thrown;
  }
  throw notFound(target);
}

/** A link counts as a change of the source, and also of the target if its resource declares the relation. */
function inverseEvents({ resource, relation, target, source }: Place, row: Row): readonly EventDraft[] {
  const shows = [...target.relations.values()].filter(
    (other) => other !== relation && other.through !== undefined && other.through.name === relation.through?.name,
  );
  return touched(
    target,
    row,
    shows.map(({ name }) => name),
    keyOf(resource, source),
  );
}

function touched(resource: ResourceModel, row: Row, links: readonly string[], linked: Key): readonly EventDraft[] {
  if (links.length === 0) return [];
  const key = keyOf(resource, row);
  return [{ resource: resource.name, kind: "updated", key, before: row, after: row, links, linked }];
}
