import type { EventDraft } from "../../../events/change-event.ts";
import type { Key, Row, ResourceModel } from "../../../model/model.ts";
import { referenceOf } from "../../../model/reference.ts";
import type { DeleteCommand, DeleteResult, MaybePromise, WriteResult } from "../../../store/store.ts";
import { type OperationContext, storeOfReferences } from "../../operation-context.ts";
import { keepsRow } from "../../history/recorded-change.ts";
import { isDeleted } from "../../scope/living.ts";
import { regenerate } from "../create/build-row.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import type { Deletion } from "./deletion.ts";
import { totalSort } from "../../read/needed-fields.ts";
import { linkRelations } from "./incoming-references.ts";

/** `after`: the row after a soft deletion. */
export type AppliedDeletion = DeleteResult | Extract<WriteResult, { kind: "done" }>;

/** Returns the event of a deleted row. */
export function deletedEvent(
  { name }: ResourceModel,
  key: Key,
  result: Extract<AppliedDeletion, { kind: "done" }>,
): EventDraft {
  const event: EventDraft = { resource: name, kind: "deleted", key, before: result.before };
  return "after" in result ? keepsRow(event, result) : event;
}

/**
 * Deletes a row as planned, together with its dependents, for which no rules run. References are never left dangling.
 */
export async function applyDeletion(
  context: OperationContext,
  row: Row,
  command: DeleteCommand,
  deletion: Deletion,
  events: EventDraft[],
): Promise<AppliedDeletion> {
  for (const { resource, key, set } of deletion.emptied) {
    const result = await storeOfReferences(context, resource.name, true).update(
      { resource, key, set },
      context.deadline,
    );
    // No subscriber can see a change of a row that is already deleted.
    if (result.kind !== "done" || isDeleted(resource, result.before)) continue;
    events.push({ resource: resource.name, kind: "updated", key, before: result.before, after: result.after });
  }
  if (deletion.isSoft) return markDeleted(context, command, deletion, events);
  // Cyclic references are set to null before any of the rows is deleted.
  const { resource, key } = command;
  const own = await nullify(context, command, deletion.nullified);
  if (own !== undefined && own.kind !== "done") return own;
  const befores: (Row | undefined)[] = [];
  for (const one of deletion.cascaded) {
    const loose = await nullify(context, one, one.nullified);
    befores.push(loose?.kind === "done" ? loose.before : undefined);
  }
  for (const [at, one] of deletion.cascaded.entries()) {
    const result = await deleteOne(context, one.row, { resource: one.resource, key: one.key });
    if (result.kind !== "done" || isDeleted(one.resource, one.row)) continue;
    events.push({
      resource: one.resource.name,
      kind: "deleted",
      key: one.key,
      before: befores[at] ?? result.before,
    });
  }
  // The conditions were already checked when its reference was set to null.
  const result = await deleteOne(context, row, own === undefined ? command : { resource, key });
  return result.kind === "done" && own !== undefined ? own : result;
}

/** The time of the deletions of each operation, by its events: what is deleted together is restored together. */
const TIMES = new WeakMap<readonly EventDraft[], string>();

/** Marks a row and its dependents as deleted. Their links and references stay, so that they can be restored. */
async function markDeleted(
  context: OperationContext,
  command: DeleteCommand,
  { cascaded }: Deletion,
  events: EventDraft[],
): Promise<AppliedDeletion> {
  const time = TIMES.get(events) ?? new Date().toISOString();
  TIMES.set(events, time);
  const mark = (one: DeleteCommand): MaybePromise<WriteResult> => {
    const set = { ...regenerate(context, one.resource), [one.resource.softDelete as string]: time };
    return storeOfReferences(context, one.resource.name).update({ ...one, set }, context.deadline);
  };
  const own = await mark(command);
  if (own.kind !== "done") return { kind: own.kind === "stale" ? "stale" : "absent" };
  for (const { resource, key } of cascaded) {
    const result = await mark({ resource, key });
    if (result.kind === "done") events.push(deletedEvent(resource, key, result));
  }
  return own;
}

async function nullify(
  context: OperationContext,
  command: DeleteCommand,
  set: Row | undefined,
): Promise<DeleteResult | undefined> {
  if (set === undefined) return undefined;
  const { resource, key, where, ifMatch } = command;
  const store = storeOfReferences(context, resource.name, true);
  const result = await store.update({ resource, key, where, ifMatch, set }, context.deadline);
  if (result.kind === "done") return { kind: "done", before: result.before };
  return { kind: result.kind === "stale" ? "stale" : "absent" };
}

async function deleteOne(context: OperationContext, row: Row, command: DeleteCommand): Promise<DeleteResult> {
  await removeLinks(context, command.resource, row);
  return storeOfReferences(context, command.resource.name, true).delete(command, context.deadline);
}

const CHUNK = 1_000;

async function removeLinks(context: OperationContext, resource: ResourceModel, row: Row): Promise<void> {
  const { model } = context.engine;
  for (const relation of linkRelations(model, resource)) {
    const from = referenceOf(relation.local, row);
    if (from === null) continue;
    const target = resourceOf(model, relation.target);
    const store = storeOfReferences(context, target.name, true);
    const query = { resource: target, relation, parents: [from], sort: totalSort(target, []), limit: CHUNK };
    for (let more = true; more; ) {
      const [page] = await store.listPer(query, context.deadline);
      for (const linked of page?.rows ?? []) {
        const to = referenceOf(relation.foreign, linked) as Key;
        await store.unlink({ relation, from, to }, context.deadline);
      }
      more = page?.more === true;
    }
  }
}
