import type { Model, RelationModel, ResourceModel } from "../model/model.ts";
import { OPERATORS } from "../definition/operators.ts";
import type { CompareFilter, Filter } from "../operation/filter.ts";
import type { Search } from "../operation/search.ts";

/** Cost of a condition that a store can compare with every row cheaply. */
export const COMPARE_COST = 10;
/** Cost of a condition that cannot use an index. */
export const SCAN_COST = 150;
/** Cost of following a relation to one row, and to many rows. */
export const TO_ONE_COST = 25;
export const TO_MANY_COST = 100;
/** Cost of sorting by a field of a related row: every row that matches is joined before the first page is known. */
export const RELATED_SORT_COST = 300;

/** Cost of comparing, or sorting by, a value that is computed from the related rows of every row. */
export const RELATED_VALUE_COST = 300;

/**
 * Returns the maximum cost of a caller's filter, in the unit of `costOf`. A key or a unique field is free, because it
 * finds the rows directly. Each other condition costs as much as comparing it with a table.
 */
export function filterCost(filter: Filter | undefined, resource: ResourceModel | undefined, model: Model): number {
  if (filter === undefined || resource === undefined) return 0;
  return costIn({ model, resource, isNegated: false, isMixed: false }, filter);
}

/** Returns the cost of a search: each word is looked for in each field, and all matches are ranked. */
export function searchCost({ words }: Search, resource: ResourceModel | undefined): number {
  const paths = resource?.search ?? [];
  const perWord = paths.reduce((sum, path) => sum + SCAN_COST + (path.length > 1 ? TO_ONE_COST : 0), 0);
  return (words.length + 1) * perWord;
}

interface Place {
  readonly model: Model;
  readonly resource: ResourceModel;
  /** True within an odd number of `not`s, where no index can be used. */
  readonly isNegated: boolean;
  /** True if another branch of an `or` reads every row, so that a key has no advantage. */
  readonly isMixed: boolean;
}

function costIn(place: Place, filter: Filter): number {
  const { model, resource, isNegated, isMixed } = place;
  switch (filter.kind) {
    case "constant":
      return 0;
    case "not":
      return costIn({ ...place, isNegated: !isNegated }, filter.filter);
    case "compare":
      if (resource.computed.has(filter.field)) return RELATED_VALUE_COST;
      return isNegated ? SCAN_COST : compareCost(filter, !isMixed && isLookup(filter, resource));
    case "and": {
      // The parts of a composite key are one lookup.
      const covered = isNegated || isMixed ? undefined : coveredGroup(filter.filters, resource);
      return filter.filters.reduce(
        (sum, inner) =>
          sum + (inner.kind === "compare" && covered?.includes(inner.field) === true ? 0 : costIn(place, inner)),
        0,
      );
    }
    case "or": {
      const within = { ...place, isMixed: isMixed || !isLookup(filter, resource) };
      return filter.filters.reduce((sum, inner) => sum + costIn(within, inner), 0);
    }
    case "related": {
      const relation = resource.relations.get(filter.relation) as RelationModel;
      const target = model.resources.get(relation.target) as ResourceModel;
      const within = { model, resource: target, isNegated: false, isMixed: false };
      return (relation.many ? TO_MANY_COST : TO_ONE_COST) + costIn(within, filter.filter);
    }
  }
}

function compareCost({ operator }: CompareFilter, isKey: boolean): number {
  if (OPERATORS[operator].access === "scan") return SCAN_COST;
  return isKey ? 0 : COMPARE_COST;
}

/** Returns whether a key or a unique field finds all matching rows. */
function isLookup(filter: Filter, resource: ResourceModel): boolean {
  switch (filter.kind) {
    case "compare":
      return (
        OPERATORS[filter.operator].access === "lookup" &&
        [resource.key, ...resource.unique].some((group) => group.length === 1 && group[0] === filter.field)
      );
    case "and":
      return (
        filter.filters.some((inner) => isLookup(inner, resource)) ||
        coveredGroup(filter.filters, resource) !== undefined
      );
    case "or":
      return filter.filters.every((inner) => isLookup(inner, resource));
    default:
      return false;
  }
}

/** Returns the key or unique group of which every field is compared with `eq`. */
function coveredGroup(filters: readonly Filter[], { key, unique }: ResourceModel): readonly string[] | undefined {
  const isGiven = (field: string): boolean =>
    filters.some((one) => one.kind === "compare" && one.operator === "eq" && one.field === field);
  return [key, ...unique].find((group) => group.every(isGiven));
}
