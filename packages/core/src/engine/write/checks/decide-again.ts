import type { ResourceModel, Row, RuleModel } from "../../../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../../../operation/filter.ts";
import { decideInput, refuseNever } from "../../access/decide.ts";
import type { OperationContext } from "../../operation-context.ts";
import type { CheckedInput } from "./check-input.ts";

/** Evaluates a rule for the fields that a hook returned, and combines it with the decision of the given fields. */
export async function decideAgain(
  context: OperationContext,
  resource: ResourceModel,
  rule: RuleModel,
  changed: Row,
  { byFields }: Pick<CheckedInput, "byFields">,
  what: string,
): Promise<Filter> {
  const decision = await decideInput(context, rule, resource, resource.codec?.toValue(changed) ?? changed);
  refuseNever(context, decision, what);
  return andFilters(decision, byFields) ?? ALWAYS;
}
