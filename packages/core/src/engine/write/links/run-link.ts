import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { Key, RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import type { LinkOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { readVisible } from "../../run-get.ts";
import { notFound } from "../../../lowering/not-found.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { requireWrites } from "../checks/check-input.ts";
import { runByRights } from "../idempotency/run-by-rights.ts";
import { decideLink, linkRow, type LinkSource, refuseLinkEnd } from "./link-rows.ts";

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
  const {
    row: linked,
    isReplay,
    isOther,
  } = await runByRights<null>(context, resource, operation.idempotency, async (inner, events) => {
    const source = await readVisible(inner, resource, operation.key);
    if (source === undefined) throw notFound(resource);
    await refuseLinkEnd(inner, rights, "source", source);
    const { more = [], ...first } = operation;
    const place = { resource, relation, target, source, rights };
    const keys = [operation.target, ...more];
    // All rows are checked before the first hook runs.
    const targets: Row[] = [];
    for (const key of keys) targets.push(await requireTarget(inner, place, key));
    for (const [index, other] of targets.entries()) {
      await linkRow(inner, { ...first, target: keys[index] as Key }, place, other, events);
    }
    return { value: null, row: source };
  });
  const { key, selection } = operation;
  if (isOther) await requireEnds(context, operation, resource, target);
  if (selection === undefined) return { kind: "nothing", key };
  if (isReplay) return answerReplay(context, resource, key, selection);
  return answerRow(context, resource, linked as Row, selection);
}

/** Throws unless the caller can see both ends of a link that a caller with other rights has changed. */
async function requireEnds(
  context: OperationContext,
  { key, target, more = [] }: LinkOperation,
  resource: ResourceModel,
  other: ResourceModel,
): Promise<void> {
  if ((await readVisible(context, resource, key)) === undefined) throw notFound(resource);
  for (const end of [target, ...more]) await readTarget(context, other, end);
}

/** Returns a target row that the caller can link. A hidden row is treated like a missing one. */
async function requireTarget(context: OperationContext, { target, rights }: LinkSource, key: Key): Promise<Row> {
  const row = await readTarget(context, target, key);
  await refuseLinkEnd(context, rights, "target", row);
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
