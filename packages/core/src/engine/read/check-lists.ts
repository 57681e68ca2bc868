import type { OperationContext } from "../operation-context.ts";
import type { Plan } from "./plan-selection.ts";
import { checkList } from "./read-page.ts";

/** Throws BAD_REQUEST for a nested list whose cursor belongs to another list. */
export function checkLists(frame: OperationContext, { relations }: Plan): void {
  for (const relation of relations) {
    if (relation.relation.many) checkList(frame, relation);
    checkLists(frame, relation.plan);
  }
}
