import { isBifocalError } from "../../../errors/bifocal-error.ts";
import type { ResourceModel, Row } from "../../../model/model.ts";
import { andFilters } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import type { Precondition, ReplaceOperation, UpdateOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { decide, refuseNever } from "../../access/decide.ts";
import { type MaybePromise, mapMaybePromise } from "../../../util/maybe-promise.ts";
import type { WriteResult } from "../../../store/store.ts";
import { mayHideFields, type OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { readVisible } from "../../run-get.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { withKey } from "../create/with-key.ts";
import { type CheckedInput, checkInput } from "../checks/check-input.ts";
import { holdAtOnce } from "../checks/check-references.ts";
import { isRename } from "../checks/check-rename.ts";
import { hasChanged } from "../checks/has-changed.ts";
import { stale } from "../../../operation/preconditions.ts";
import { runIdempotently, type PutReceipt } from "../idempotency/run-idempotently.ts";
import { refusalOfWrite, requirePrecondition } from "../checks/refuse-write.ts";
import { noteUniqueViolation } from "../checks/unique-violation.ts";
import { publish } from "../transact.ts";
import { type RowUpdate, setOf, updated, updateRow } from "./update-row.ts";
import { unwritableFields, withoutUnchanged } from "./without-unchanged.ts";

type Change = UpdateOperation | ReplaceOperation;

/** Runs `update`, which writes the given fields, or `replace`, which writes every writable field. */
export function runUpdate(context: OperationContext, operation: Change): MaybePromise<ItemOutcome | NothingOutcome> {
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
  operation: Change,
): MaybePromise<ItemOutcome | NothingOutcome> {
  const { kind, key, ifNoneMatch } = operation;
  const what = `${kind} this ${resource.name}`;
  return mapMaybePromise(check(context, resource, operation, what), ({ row: written, decision, byFields }) =>
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
function isSimple(context: OperationContext, resource: ResourceModel, operation: Change, update: RowUpdate): boolean {
  const { written, where, ifMatch, ifNoneMatch, key } = update;
  return (
    operation.idempotency === undefined &&
    !context.engine.changes.isKept(resource.name) &&
    where === undefined &&
    ifNoneMatch === undefined &&
    !(Array.isArray(ifMatch) && mayHideFields(context, resource)) &&
    resource.hooks.update === undefined &&
    !isRename(resource, key, written) &&
    holdAtOnce(context, resource, written)
  );
}

function updateSimply(
  context: OperationContext,
  resource: ResourceModel,
  { selection }: Change,
  { key, written, ifMatch, what }: RowUpdate,
): MaybePromise<ItemOutcome | NothingOutcome> {
  const set = setOf(resource, written);
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
  operation: Change,
  update: RowUpdate,
): Promise<ItemOutcome | NothingOutcome> {
  const { value, isReplay } = await runIdempotently<PutReceipt>(
    context,
    resource,
    operation.idempotency,
    async (inner, events) => {
      const after = await updateRow({ context: inner, operation, resource, events }, update);
      return { value: { key: keyOf(resource, after), created: false }, row: after };
    },
  );
  if (isReplay) return answerReplay(context, resource, value.value.key, operation.selection);
  return answerRow(context, resource, value.row as Row, operation.selection);
}

/**
 * Returns the versions that the row may have. If the input was computed from a row, that is its version, unless the
 * caller named others.
 */
function versionsOf(operation: Change): Precondition | undefined {
  const { ifMatch } = operation;
  const madeFrom = "madeFrom" in operation ? operation.madeFrom : undefined;
  const isOther = Array.isArray(ifMatch) && madeFrom !== undefined && !ifMatch.includes(madeFrom);
  return madeFrom === undefined || isOther ? ifMatch : [madeFrom];
}

/**
 * Preconditions are evaluated before the content (RFC 9110 §13.2.1), so a stale version is reported instead of
 * validation errors.
 */
function check(
  context: OperationContext,
  resource: ResourceModel,
  operation: Change,
  what: string,
): MaybePromise<CheckedInput> {
  const { kind, key, form } = operation;
  const input = kind === "replace" ? withKey(resource, key, operation.input, form) : operation.input;
  const rule = resource.access.update;
  const refuse = (thrown: unknown): Promise<never> => refuseInput(context, resource, operation, thrown);
  try {
    const checked = checkInput(context, { resource, mode: kind, rule, input, form, what });
    return checked instanceof Promise ? checked.catch(refuse) : checked;
  } catch (thrown) {
    return refuse(thrown);
  }
}

async function refuseInput(
  context: OperationContext,
  resource: ResourceModel,
  operation: Change,
  thrown: unknown,
): Promise<never> {
  const { key, ifMatch, ifNoneMatch } = operation;
  const isContent = isBifocalError(thrown) && thrown.code === "VALIDATION_FAILED";
  if (!isContent) throw thrown;
  requirePrecondition(context, resource, operation);
  if (ifMatch === undefined && ifNoneMatch === undefined) throw thrown;
  const row = await readVisible(context, resource, key);
  if (row !== undefined && (await failsPrecondition(context, resource, row, ifMatch, ifNoneMatch)))
    throw stale(resource);
  throw thrown;
}
