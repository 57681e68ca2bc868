import type { GroupTerm, Measure } from "../model/measure.ts";
import type { Filter } from "./filter.ts";
import type { Page } from "./page.ts";

/** One sort term of groups: the name of a measure or of a group term. */
export interface GroupSortTerm {
  readonly name: string;
  readonly descending: boolean;
}

/** The values to compute from groups of rows, and the groups to return. */
export interface Aggregation {
  /** The values to return, in the order of the model. */
  readonly measures: readonly Measure[];
  /** Without terms, all rows are one group, which exists even if there are no rows. */
  readonly groupBy: readonly GroupTerm[];
  /** A condition on groups. Its fields are names of measures, which don't have to be in `measures`. */
  readonly having?: Filter;
  /** The engine appends the group terms, so that the order is total. */
  readonly sort: readonly GroupSortTerm[];
  readonly page: Page;
}
