/**
 * One sort term: a field, or a to-one relation and a field. Missing values sort last in ascending and first in
 * descending order; text is ordered by code point. The engine appends the key, so that the order is always total.
 */
export interface SortTerm {
  /** `["price"]` or `["author", "name"]`. */
  readonly path: readonly [string] | readonly [string, string];
  readonly descending: boolean;
}

export type Sort = readonly SortTerm[];
