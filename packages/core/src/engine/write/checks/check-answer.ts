import type { Operation } from "../../../operation/operation.ts";
import { refuseNamed } from "../../../operation/refuse-named.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import { type Frame, resourceOf } from "../../frame.ts";
import { type Plan, planSelection } from "../../read/plan-selection.ts";
import { checkList } from "../../read/read-page.ts";

/**
 * Rejects a write before anything is written if its response would be an error: FORBIDDEN if the caller named a path
 * that it can't read, BAD_REQUEST for a cursor of another list. A selection without relations or named paths can't
 * fail.
 */
export function checkAnswer(frame: Frame, operation: Operation): MaybePromise<void> {
  if (!("selection" in operation) || operation.selection === undefined) return undefined;
  const { selection } = operation;
  const named = "named" in operation ? operation.named : undefined;
  if (selection.relations.length === 0 && named === undefined) return undefined;
  return planSelection(frame, resourceOf(frame.engine.model, operation.resource), selection).then((plan) => {
    if (named !== undefined) refuseNamed(named, plan.denied);
    checkLists(frame, plan);
  });
}

function checkLists(frame: Frame, { relations }: Plan): void {
  for (const relation of relations) {
    if (relation.relation.many) checkList(frame, relation);
    checkLists(frame, relation.plan);
  }
}
