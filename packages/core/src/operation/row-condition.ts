import type { Filter } from "./filter.ts";
import type { Search } from "./search.ts";

/** Selects rows by a filter, a search, or both. */
export interface RowCondition {
  readonly filter?: Filter;
  readonly search?: Search;
}
