import type { ResourceModel } from "../model/model.ts";
import { resourceOf } from "../model/resource-of.ts";
import { andFilters } from "../operation/filter.ts";
import type { AggregateOperation } from "../operation/operation.ts";
import type { GroupsOutcome } from "../operation/outcome.ts";
import { authorizeAggregation } from "./access/authorize-aggregation.ts";
import { authorizeCondition } from "./access/authorize-condition.ts";
import { decide, refuseNever } from "./access/decide.ts";
import { planGroups } from "./aggregate/plan-groups.ts";
import { readGroups } from "./aggregate/read-groups.ts";
import type { OperationContext } from "./operation-context.ts";

/** Computes values from the rows that the caller can read. */
export async function runAggregate(context: OperationContext, operation: AggregateOperation): Promise<GroupsOutcome> {
  const resource: ResourceModel = resourceOf(context.engine.model, operation.resource);
  const visible = await decide(context, resource.access.read, resource);
  refuseNever(context, visible, `read ${resource.plural}`);
  const { filter, asked } = await authorizeCondition(context, resource, operation);
  const terms = await authorizeAggregation(context, resource, operation);
  const plan = planGroups(context, { ...operation, target: resource, terms, asked });
  const groups = await readGroups(context, plan, andFilters(visible, filter));
  return { kind: "groups", page: plan.toPage(groups), personal: context.cacheability.personal };
}
