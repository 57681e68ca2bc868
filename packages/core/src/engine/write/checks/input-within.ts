import { BifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type { PresetFields, Key, RelationModel, ResourceModel } from "../../../model/model.ts";
import type { CreateManyOperation, CreateOperation } from "../../../operation/operation.ts";
import { listNames } from "../../../errors/refuse.ts";
import { isSameFields, referenceFields, referenceOf } from "../../../model/reference.ts";
import { decide, isAlways } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { readVisible } from "../../run-get.ts";
import { notFound } from "../../../lowering/not-found.ts";
import { isRightsReceipt, rightsText } from "../idempotency/run-by-rights.ts";
import { readReceipt } from "../idempotency/run-idempotently.ts";

/** The constraints on rows that are created within a parent row. */
export interface Within {
  readonly decided: PresetFields | undefined;
  /** Returns an issue if an input contradicts the parent. */
  readonly contradiction: (input: unknown) => readonly Issue[];
}

const NOWHERE: Within = { decided: undefined, contradiction: () => [] };

export async function readWithin(
  context: OperationContext,
  operation: CreateOperation | CreateManyOperation,
): Promise<Within> {
  const { within } = operation;
  if (within === undefined) return NOWHERE;
  const parent = resourceOf(context.engine.model, within.resource);
  const relation = parent.relations.get(within.relation) as RelationModel;
  if (relation.through !== undefined || relation.kind === "belongsTo") {
    const message = `Rows can't be created through '${within.relation}'. Create the row first, then link it.`;
    throw new BifocalError("METHOD_NOT_ALLOWED", message);
  }
  const row = await readVisible(context, parent, within.key);
  const value =
    row === undefined ? await keyOfGone(context, operation, parent, relation) : referenceOf(relation.local, row);
  if (value === null) {
    const message = `This ${parent.name} has no '${listNames(relation.local)}' that a new row could reference.`;
    throw new BifocalError("CONFLICT", message);
  }
  const decided = referenceFields(relation.foreign, value);
  return { decided, contradiction: (input) => findContradictions(parent, decided, input) };
}

/**
 * Returns the key of a parent that was deleted or hidden since, so that an earlier create within it can be replayed. For
 * other rights than those of the first caller, the parent is NOT_FOUND unless they permit all rows, because it might have been
 * hidden all along.
 */
async function keyOfGone(
  context: OperationContext,
  operation: CreateOperation | CreateManyOperation,
  parent: ResourceModel,
  { local }: RelationModel,
): Promise<Key> {
  const { resource, within, idempotency } = operation;
  const receipt = isSameFields(parent.key, local) ? await readReceipt(context, resource, idempotency) : undefined;
  if (within === undefined || receipt === undefined) throw notFound(parent);
  const isReplayable =
    isAlways(await decide(context, parent.access.read, parent)) ||
    (isRightsReceipt(receipt) && receipt.rights === rightsText(context, resourceOf(context.engine.model, resource)));
  if (!isReplayable) throw notFound(parent);
  return within.key;
}

function findContradictions(parent: ResourceModel, decided: PresetFields, input: unknown): readonly Issue[] {
  if (typeof input !== "object" || input === null) return [];
  return Object.entries(decided).flatMap(([foreign, value]) => {
    const given: unknown = (input as Record<string, unknown>)[foreign];
    if (given === undefined || given === value) return [];
    const message = `'${foreign}' references a different ${parent.name} than the URL. Leave it out.`;
    return [{ path: [foreign], message, code: "contradiction" }];
  });
}
