import type { RelationModel, ResourceModel, Row } from "../../model/model.ts";
import { ALWAYS, andFilters, type Filter, NEVER, notFilter } from "../../operation/filter.ts";
import { valueFilter } from "../../operation/keys-filter.ts";
import type { OperationContext } from "../operation-context.ts";
import { referenceOf } from "../../model/reference.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { rewriteRelated, storeFilter } from "./rewrite-related.ts";
import { totalSort } from "./needed-fields.ts";

/**
 * Replaces the conditions on relations in a filter for one stored or future row by their results. Only the rows related
 * to this row are read.
 */
export async function resolveRelated(
  context: OperationContext,
  resource: ResourceModel,
  row: Row,
  filter: Filter,
): Promise<Filter> {
  switch (filter.kind) {
    case "and":
    case "or": {
      const filters: Filter[] = [];
      for (const inner of filter.filters) filters.push(await resolveRelated(context, resource, row, inner));
      return { kind: filter.kind, filters };
    }
    case "not":
      return notFilter(await resolveRelated(context, resource, row, filter.filter));
    case "related": {
      const relation = resource.relations.get(filter.relation) as RelationModel;
      // Links aren't part of the row.
      if (relation.through !== undefined) return rewriteRelated(context, resource, filter);
      const isEvery = filter.quantifier === "every";
      const found = await hasRelated(context, relation, row, isEvery ? notFilter(filter.filter) : filter.filter);
      return found !== (isEvery || filter.quantifier === "none") ? ALWAYS : NEVER;
    }
    default:
      return filter;
  }
}

async function hasRelated(
  context: OperationContext,
  relation: RelationModel,
  row: Row,
  filter: Filter,
): Promise<boolean> {
  const value = referenceOf(relation.local, row);
  if (value === null) return false;
  const target = resourceOf(context.engine.model, relation.target);
  const where = await storeFilter(context, target, andFilters(valueFilter(relation.foreign, value), filter));
  const query = { resource: target, filter: where, sort: totalSort(target, []), limit: 1 };
  const { rows } = await context.storeOf(target.name).list(query, context.deadline);
  return rows.length > 0;
}
