import { notFound } from "../../../lowering/not-found.ts";
import type { ResourceModel } from "../../../model/model.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { andFilters } from "../../../operation/filter.ts";
import type { DeleteOperation } from "../../../operation/operation.ts";
import type { NothingOutcome } from "../../../operation/outcome.ts";
import { type MaybePromise, mapMaybePromise } from "../../../util/maybe-promise.ts";
import { decide, isAlways, refuseNever } from "../../access/decide.ts";
import { mayHideFields, type OperationContext } from "../../operation-context.ts";
import { requireWrites } from "../checks/check-input.ts";
import { refusalOfWrite, requirePrecondition } from "../checks/refuse-write.ts";
import { runByRights } from "../idempotency/run-by-rights.ts";
import { publish } from "../transact.ts";
import { deletedEvent } from "./apply-deletion.ts";
import { deleteRow, type RowDeletion } from "./delete-row.ts";
import { incomingReferences, linkRelations } from "./incoming-references.ts";

export function runDelete(context: OperationContext, operation: DeleteOperation): MaybePromise<NothingOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  requireWrites(context, resource);
  const what = `delete this ${resource.name}`;
  return mapMaybePromise(decide(context, resource.access.delete, resource), (decision) => {
    refuseNever(context, decision, what);
    return mapMaybePromise(decide(context, resource.access.read, resource), (visible) => {
      refuseNever(context, visible, `read ${resource.plural}`);
      requirePrecondition(context, resource, operation);
      const { key, ifMatch, ifNoneMatch } = operation;
      const deletion = { key, where: andFilters(visible, decision), ifMatch, ifNoneMatch, what };
      return isSimple(context, resource, operation, deletion)
        ? deleteSimply(context, resource, deletion)
        : deleteOnce(context, resource, operation, deletion, isAlways(visible));
    });
  });
}

/** Whether a single command of the store deletes the row, with nothing to check, log or delete beside it. */
function isSimple(
  context: OperationContext,
  resource: ResourceModel,
  { idempotency }: DeleteOperation,
  { where, ifMatch, ifNoneMatch }: RowDeletion,
): boolean {
  const { model, changes } = context.engine;
  return (
    idempotency === undefined &&
    resource.softDelete === undefined &&
    resource.history === undefined &&
    !changes.isKept(resource.name) &&
    where === undefined &&
    ifNoneMatch === undefined &&
    !(Array.isArray(ifMatch) && mayHideFields(context, resource)) &&
    resource.hooks.delete === undefined &&
    incomingReferences(model, resource).length === 0 &&
    linkRelations(model, resource).length === 0
  );
}

function deleteSimply(
  context: OperationContext,
  resource: ResourceModel,
  { key, ifMatch, what }: RowDeletion,
): MaybePromise<NothingOutcome> {
  const deleted = context.storeOf(resource.name).delete({ resource, key, ifMatch }, context.deadline);
  return mapMaybePromise(deleted, (result) => {
    if (result.kind !== "done") {
      return refusalOfWrite(context, resource, key, result.kind, what).then((error) => Promise.reject(error));
    }
    const published = publish(context, [deletedEvent(resource, key, result)]);
    return mapMaybePromise(published, (): NothingOutcome => ({ kind: "nothing", key }));
  });
}

/** Deletes the row in a transaction, and only once if the operation has `idempotency`. */
async function deleteOnce(
  context: OperationContext,
  resource: ResourceModel,
  operation: DeleteOperation,
  deletion: RowDeletion,
  isAlwaysVisible: boolean,
): Promise<NothingOutcome> {
  const { isOther } = await runByRights<null>(context, resource, operation.idempotency, async (inner, events) => {
    await deleteRow({ context: inner, operation, resource, events }, deletion);
    return { value: null };
  });
  // Whether the filter of the read rule matched the row can't be determined any more.
  if (isOther && !isAlwaysVisible) throw notFound(resource);
  return { kind: "nothing", key: deletion.key };
}
