import type { Filter } from "../operation/filter.ts";
import type { Page } from "../operation/page.ts";
import type { Search } from "../operation/search.ts";
import type { Sort } from "../operation/sort.ts";

/** The filter, order and page of a list, with all defaults applied. */
export interface CompleteListParts {
  readonly filter?: Filter;
  readonly search?: Search;
  readonly sort: Sort;
  readonly page: Page;
}
