import { isBifocalError } from "../../../errors/bifocal-error.ts";
import type { ResourceModel, Row } from "../../../model/model.ts";
import { andFilters } from "../../../operation/filter.ts";
import { keyOf } from "../../../operation/key.ts";
import type { Precondition, ReplaceOperation, UpdateOperation } from "../../../operation/operation.ts";
import type { ItemOutcome, NothingOutcome } from "../../../operation/outcome.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import { decide, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { readVisible } from "../../run-get.ts";
import { answerReplay } from "../idempotency/answer-replay.ts";
import { answerRow } from "../answer-row.ts";
import { withKey } from "../create/with-key.ts";
import { type CheckedInput, checkInput } from "../checks/check-input.ts";
import { stale } from "../../../operation/preconditions.ts";
import { runIdempotently, type PutReceipt } from "../idempotency/run-idempotently.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { updateRow } from "./update-row.ts";

type Change = UpdateOperation | ReplaceOperation;

/** Runs `update`, which writes the given fields, or `replace`, which writes every writable field. */
export async function runUpdate(context: OperationContext, operation: Change): Promise<ItemOutcome | NothingOutcome> {
  const { kind, key, ifNoneMatch } = operation;
  const resource = resourceOf(context.engine.model, operation.resource);
  const what = `${kind} this ${resource.name}`;
  const { row: written, decision } = await check(context, resource, operation, what);
  const visible = await decide(context, resource.access.read, resource);
  refuseNever(context, visible, `read ${resource.plural}`);
  requirePrecondition(context, resource, operation);
  const ifMatch = versionsOf(operation);
  const where = andFilters(visible, decision);
  const update = { key, written, where, check: decision, ifMatch, ifNoneMatch, what };
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
async function check(
  context: OperationContext,
  resource: ResourceModel,
  operation: Change,
  what: string,
): Promise<CheckedInput> {
  const { kind, key, form, ifMatch, ifNoneMatch } = operation;
  const input = kind === "replace" ? withKey(resource, key, operation.input, form) : operation.input;
  try {
    return await checkInput(context, { resource, mode: kind, rule: resource.access.update, input, form, what });
  } catch (thrown) {
    const isContent = isBifocalError(thrown) && thrown.code === "VALIDATION_FAILED";
    if (!isContent) throw thrown;
    requirePrecondition(context, resource, operation);
    if (ifMatch === undefined && ifNoneMatch === undefined) throw thrown;
    const row = await readVisible(context, resource, key);
    if (row !== undefined && (await failsPrecondition(context, resource, row, ifMatch, ifNoneMatch)))
      throw stale(resource);
    throw thrown;
  }
}
