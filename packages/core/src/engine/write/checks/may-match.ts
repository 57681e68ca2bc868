import type { RelationModel, ResourceModel, Row } from "../../../model/model.ts";
import { ALWAYS, andFilters, type Filter, NEVER, notFilter, orFilters } from "../../../operation/filter.ts";
import type { OperationContext } from "../../operation-context.ts";
import { matchesRow } from "../../read/match-rows.ts";

/** Whether a future row can match a filter, whatever the values of its `unknown` fields will be. */
export async function mayMatch(
  context: OperationContext,
  resource: ResourceModel,
  row: Row,
  filter: Filter,
  unknown: ReadonlySet<string>,
): Promise<boolean> {
  return matchesRow(context, resource, row, assume(resource, filter, unknown, ALWAYS));
}

/** Replaces conditions on unknown fields by `assumed`, which turns into its opposite within a `not`. */
function assume(resource: ResourceModel, filter: Filter, unknown: ReadonlySet<string>, assumed: Filter): Filter {
  const inner = (one: Filter): Filter => assume(resource, one, unknown, assumed);
  switch (filter.kind) {
    case "constant":
      return filter;
    case "and":
      return andFilters(...filter.filters.map(inner)) ?? ALWAYS;
    case "or":
      return orFilters(...filter.filters.map(inner));
    case "not":
      return notFilter(assume(resource, filter.filter, unknown, assumed === ALWAYS ? NEVER : ALWAYS));
    case "compare":
      return unknown.has(filter.field) ? assumed : filter;
    case "related": {
      const { local } = resource.relations.get(filter.relation) as RelationModel;
      return local.some((name) => unknown.has(name)) ? assumed : filter;
    }
  }
}
