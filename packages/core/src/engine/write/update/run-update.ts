import type { ResourceModel, Row } from "../../../model/model.ts";
import { andFilters } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import { splitInput } from "../../../operation/nested-input.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { decide, refuseNever } from "../../access/decide.ts";
import { type MaybePromise, mapMaybePromise } from "../../../util/maybe-promise.ts";
import type { WriteResult } from "../../../store/store.ts";
import { mayHideFields, type OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { holdAtOnce } from "../checks/check-references.ts";
import { dependsOnRow } from "../checks/depends-on-row.ts";
import { hasChanged } from "../checks/has-changed.ts";
import { runNestedUpdate } from "../nested/run-nested-update.ts";
import { type PutReceipt, runByRights } from "../idempotency/run-by-rights.ts";
import { refusalOfWrite, requirePrecondition } from "../checks/refuse-write.ts";
import { noteUniqueViolation } from "../checks/unique-violation.ts";
import { publish } from "../transact.ts";
import { type RowUpdate, setOf, updated, updateRow } from "./update-row.ts";
import { type RowWriteOperation, checkChange, versionsOf } from "./check-change.ts";
import { unwritableFields, withoutUnchanged } from "./without-unchanged.ts";

/** Runs `update`, which writes the given fields, or `replace`, which writes every writable field. */
export function runUpdate(
  context: OperationContext,
  operation: RowWriteOperation,
): MaybePromise<ItemOutcome | NothingOutcome> {
  const resource = resourceOf(context.engine.model, operation.resource);
  const unwritable = unwritableFields(resource, operation);
  if (unwritable.length === 0) return runChange(context, resource, operation);
  return withoutUnchanged(context, resource, operation, unwritable).then((change) =>
    runChange(context, resource, change),
  );
}

function runChange(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
): MaybePromise<ItemOutcome | NothingOutcome> {
  const { kind, key, ifNoneMatch } = operation;
  if (resource.nested[kind].length > 0) {
    const split = splitInput(resource, kind, operation.input);
    if (split.parts.length > 0) return runNestedUpdate(context, resource, operation, split);
  }
  const what = `${kind} this ${resource.name}`;
  return mapMaybePromise(checkChange(context, resource, operation, what), ({ row: written, decision, byFields }) =>
    mapMaybePromise(decide(context, resource.access.read, resource), (visible) => {
      refuseNever(context, visible, `read ${resource.plural}`);
      requirePrecondition(context, resource, operation);
      const ifMatch = versionsOf(operation);
      const where = andFilters(visible, decision);
      const update = { key, written, where, check: decision, byFields, ifMatch, ifNoneMatch, what };
      return isSimple(context, resource, operation, update)
        ? updateSimply(context, resource, operation, update)
        : updateOnce(context, resource, operation, update);
    }),
  );
}

/** Whether a single command of the store updates the row, with no check before or after it. */
function isSimple(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
  update: RowUpdate,
): boolean {
  const { written, where, ifMatch, ifNoneMatch, key } = update;
  return (
    operation.idempotency === undefined &&
    resource.history === undefined &&
    !context.engine.changes.isKept(resource.name) &&
    where === undefined &&
    ifNoneMatch === undefined &&
    !(Array.isArray(ifMatch) && mayHideFields(context, resource)) &&
    resource.hooks.update === undefined &&
    !dependsOnRow(context, resource, key, written) &&
    holdAtOnce(context, resource, written)
  );
}

function updateSimply(
  context: OperationContext,
  resource: ResourceModel,
  { selection }: RowWriteOperation,
  { key, written, ifMatch, what }: RowUpdate,
): MaybePromise<ItemOutcome | NothingOutcome> {
  const set = setOf(context, resource, written);
  const command = { resource, key, set, ifMatch };
  const update = (): MaybePromise<WriteResult> => context.storeOf(resource.name).update(command, context.deadline);
  return mapMaybePromise(noteUniqueViolation(resource, set, update, key), (result) => {
    if (result.kind !== "done") {
      return refusalOfWrite(context, resource, key, result.kind, what).then((error) => Promise.reject(error));
    }
    const { before, after } = result;
    const events = hasChanged(before, after) ? [updated(resource, before, after)] : [];
    return mapMaybePromise(publish(context, events), () => answerRow(context, resource, after, selection));
  });
}

/** Updates the row in a transaction, and only once if the operation has `idempotency`. */
async function updateOnce(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
  update: RowUpdate,
): Promise<ItemOutcome | NothingOutcome> {
  const { value, row, isReplay, isOther } = await runByRights<PutReceipt>(
    context,
    resource,
    operation.idempotency,
    async (inner, events) => {
      const after = await updateRow({ context: inner, operation, resource, events }, update);
      return { value: { key: keyOf(resource, after), created: false }, row: after };
    },
  );
  if (isReplay) return answerReplay(context, resource, value.key, operation.selection, { isOther });
  return answerRow(context, resource, row as Row, operation.selection);
}
