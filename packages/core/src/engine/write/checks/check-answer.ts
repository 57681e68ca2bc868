import type { Operation } from "../../../operation/operation.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import { type OperationContext, resourceOf } from "../../operation-context.ts";
import { refuseNamed } from "../../access/refuse-named.ts";
import { checkLists } from "../../read/check-lists.ts";
import { planSelection } from "../../read/plan-selection.ts";

/**
 * Rejects a write before anything is written if its response would be an error: FORBIDDEN if the caller named a path
 * that it can't read, BAD_REQUEST for a cursor of another list. A selection without relations or named paths can't
 * fail.
 */
export function checkAnswer(context: OperationContext, operation: Operation): MaybePromise<void> {
  if (!("selection" in operation) || operation.selection === undefined) return undefined;
  const { selection } = operation;
  const named = "named" in operation ? operation.named : undefined;
  if (selection.relations.length === 0 && named === undefined) return undefined;
  return planSelection(context, resourceOf(context.engine.model, operation.resource), selection).then((plan) => {
    refuseNamed(named, plan.denied);
    checkLists(context, plan);
  });
}
