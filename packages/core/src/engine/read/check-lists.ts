import type { OperationContext } from "../operation-context.ts";
import type { SelectionPlan } from "./plan-selection.ts";
import { checkList } from "./read-page.ts";

/** Throws BAD_REQUEST for a nested list whose cursor belongs to another list. */
export function checkLists(context: OperationContext, { relations }: SelectionPlan): void {
  for (const relation of relations) {
    if (relation.relation.many) checkList(context, relation);
    checkLists(context, relation.plan);
  }
}
