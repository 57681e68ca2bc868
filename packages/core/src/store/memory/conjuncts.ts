import type { CompareFilter, Filter, RelatedFilter } from "../../operation/filter.ts";

/** Returns the parts of a filter that must all hold. Each of them can narrow the search. */
export function conjunctsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.kind === "and" ? filter.filters.flatMap(conjunctsOf) : [filter];
}

export function isCompare(filter: Filter): filter is CompareFilter {
  return filter.kind === "compare";
}

/** Whether a filter requires that a matching related row exists. */
export function isExistence(filter: Filter): filter is RelatedFilter {
  return filter.kind === "related" && (filter.quantifier === "one" || filter.quantifier === "some");
}
