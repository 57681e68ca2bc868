import { isBifocalError } from "../../../errors/bifocal-error.ts";
import type { ResourceModel } from "../../../model/model.ts";
import type { Precondition, ReplaceOperation, UpdateOperation } from "../../../operation/operation.ts";
import { stale } from "../../../operation/preconditions.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import { failsPrecondition } from "../../access/caller-version.ts";
import type { OperationContext } from "../../operation-context.ts";
import { readVisible } from "../../run-get.ts";
import { type CheckedInput, checkInput } from "../checks/check-input.ts";
import { requirePrecondition } from "../checks/refuse-write.ts";
import { withKey } from "../create/with-key.ts";

/** An operation that changes the fields of a row. */
export type RowWriteOperation = UpdateOperation | ReplaceOperation;

/**
 * Returns the versions that the row may have. If the input was computed from a row, that is its version, unless the
 * caller named others.
 */
export function versionsOf(operation: RowWriteOperation): Precondition | undefined {
  const { ifMatch } = operation;
  const madeFrom = "madeFrom" in operation ? operation.madeFrom : undefined;
  const isOther = Array.isArray(ifMatch) && madeFrom !== undefined && !ifMatch.includes(madeFrom);
  return madeFrom === undefined || isOther ? ifMatch : [madeFrom];
}

/**
 * Checks the input of a change. Preconditions are evaluated before the content (RFC 9110 §13.2.1), so a stale version is reported instead of
 * validation errors.
 */
export function checkChange(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
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

/** Throws the error of an invalid input, or the one of a precondition that failed too. */
export async function refuseInput(
  context: OperationContext,
  resource: ResourceModel,
  operation: RowWriteOperation,
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
