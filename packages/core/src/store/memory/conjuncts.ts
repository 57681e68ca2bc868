import type { CompareFilter, Filter, RelatedFilter } from "../../operation/filter.ts";

/** The parts of a filter that must all hold, so that any one of them may narrow where to look. */
export function conjunctsOf(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return [];
  return filter.kind === "and" ? filter.filters.flatMap(conjunctsOf) : [filter];
}

export function isCompare(filter: Filter): filter is CompareFilter {
  return filter.kind === "compare";
}

/** A relation that must lead to a matching row. */
export function isExistence(filter: Filter): filter is RelatedFilter {
  return filter.kind === "related" && (filter.quantifier === "one" || filter.quantifier === "some");
}
