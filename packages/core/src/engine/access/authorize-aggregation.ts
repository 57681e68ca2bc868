import type { GroupTerm } from "../../model/measure.ts";
import type { RelationModel, ResourceModel } from "../../model/model.ts";
import { resourceOf } from "../../model/resource-of.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { Filter } from "../../operation/filter.ts";
import type { OperationContext } from "../operation-context.ts";
import type { StoreGroupTerm } from "../../store/store.ts";
import { requireField, requireRelation } from "./authorize-filter.ts";
import { isAlways } from "./decide.ts";

/**
 * Rejects values, groups, conditions and sorts that use a field that the caller can't read on every row, because they
 * would reveal its values. Returns the group terms for the store. Along a relation, they only consider rows that the
 * caller can see.
 */
export async function authorizeAggregation(
  context: OperationContext,
  resource: ResourceModel,
  { measures, groupBy, having, sort }: Aggregation,
): Promise<readonly StoreGroupTerm[]> {
  const terms: StoreGroupTerm[] = [];
  for (const term of groupBy) terms.push(await authorizeTerm(context, resource, term));
  if (context.system) return terms;
  for (const { field } of measures) if (field !== undefined) await requireField(context, resource, field, "aggregate");
  for (const name of having === undefined ? [] : comparedNames(having)) {
    const field = resource.aggregates.measures.get(name)?.field;
    if (field !== undefined) await requireField(context, resource, field, "having");
  }
  for (const { name } of sort) {
    const field = resource.aggregates.measures.get(name)?.field;
    if (field !== undefined) await requireField(context, resource, field, "sort");
  }
  return terms;
}

async function authorizeTerm(
  context: OperationContext,
  resource: ResourceModel,
  { relation: name, ...term }: GroupTerm,
): Promise<StoreGroupTerm> {
  if (name === undefined) {
    if (!context.system) await requireField(context, resource, term.field, "group");
    return term;
  }
  const relation = resource.relations.get(name) as RelationModel;
  if (context.system) return { ...term, relation };
  const target = resourceOf(context.engine.model, relation.target);
  const visible = await requireRelation(context, resource, relation, target, "group");
  await requireField(context, target, term.field, "group");
  return { ...term, relation, ...(isAlways(visible) ? {} : { filter: visible }) };
}

/** Returns the names of all fields that a filter compares. */
export function comparedNames(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case "and":
    case "or":
      return filter.filters.flatMap(comparedNames);
    case "not":
      return comparedNames(filter.filter);
    case "compare":
      return [filter.field];
    default:
      return [];
  }
}
