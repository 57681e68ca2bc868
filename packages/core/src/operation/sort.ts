import type { Filter, RelatedValue } from "./filter.ts";

/**
 * One sort term: a field, or a to-one relation and a field. Missing values sort last in ascending and first in
 * descending order; text is ordered by code point. The engine appends the key, so that the order is always total.
 */
export interface SortTerm {
  /** `["price"]` or `["author", "name"]`. */
  readonly path: readonly [string] | readonly [string, string];
  readonly descending: boolean;
  /** Set by the engine if the field is computed from related rows. */
  readonly related?: RelatedValue;
  /** Set by the engine for a path along a relation: a related row that doesn't match counts as missing. */
  readonly filter?: Filter;
  /**
   * Set for the order by relevance, whose path isn't a field. A row has the sum of the points that the entries give;
   * each entry gives those of its first condition that matches.
   */
  readonly score?: readonly (readonly Scored[])[];
}

export interface Scored {
  readonly filter: Filter;
  readonly points: number;
}

export type Sort = readonly SortTerm[];
