import type { EventDraft } from "../../../events/change-event.ts";
import type { Row, ResourceModel } from "../../../model/model.ts";
import type { DeleteCommand, DeleteResult } from "../../../store/store.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import type { Deletion } from "./deletion.ts";
import { totalSort } from "../../read/needed-fields.ts";
import { linkRelations } from "./incoming-references.ts";

/**
 * Deletes a row as planned, together with its dependents, for which no rules run. References are never left dangling.
 */
export async function applyDeletion(
  context: OperationContext,
  row: Row,
  command: DeleteCommand,
  deletion: Deletion,
  events: EventDraft[],
): Promise<DeleteResult> {
  for (const { resource, key, set } of deletion.emptied) {
    const result = await context.storeOf(resource.name).update({ resource, key, set }, context.deadline);
    if (result.kind !== "done") continue;
    events.push({ resource: resource.name, kind: "updated", key, before: result.before, after: result.after });
  }
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
    if (result.kind !== "done") continue;
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

async function nullify(
  context: OperationContext,
  command: DeleteCommand,
  set: Row | undefined,
): Promise<DeleteResult | undefined> {
  if (set === undefined) return undefined;
  const { resource, key, where, ifMatch } = command;
  const result = await context.storeOf(resource.name).update({ resource, key, where, ifMatch, set }, context.deadline);
  if (result.kind === "done") return { kind: "done", before: result.before };
  return { kind: result.kind === "stale" ? "stale" : "absent" };
}

async function deleteOne(context: OperationContext, row: Row, command: DeleteCommand): Promise<DeleteResult> {
  await removeLinks(context, command.resource, row);
  return context.storeOf(command.resource.name).delete(command, context.deadline);
}

const CHUNK = 1_000;

async function removeLinks(context: OperationContext, resource: ResourceModel, row: Row): Promise<void> {
  const { model } = context.engine;
  for (const relation of linkRelations(model, resource)) {
    const from = row[relation.local];
    if (typeof from !== "string" && typeof from !== "number") continue;
    const target = resourceOf(model, relation.target);
    const store = context.storeOf(target.name);
    const query = { resource: target, relation, parents: [from], sort: totalSort(target, []), limit: CHUNK };
    for (let more = true; more; ) {
      const [page] = await store.listPer(query, context.deadline);
      for (const linked of page?.rows ?? []) {
        const to = linked[relation.foreign] as string | number;
        await store.unlink({ relation, from, to }, context.deadline);
      }
      more = page?.more === true;
    }
  }
}
