/**
 * One sort term: a path of at most one to-one relation and a field. Missing values come last ascending and first
 * descending; text is ordered by code point. The engine appends the key, so that every order is total.
 */
export interface SortTerm {
  /** `["price"]` or `["author", "name"]`. */
  readonly path: readonly [string] | readonly [string, string];
  readonly descending: boolean;
}

export type Sort = readonly SortTerm[];
