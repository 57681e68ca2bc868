import type { Aggregation } from "./aggregation.ts";
import type { Count } from "./count.ts";
import type { Filter } from "./filter.ts";
import type { Page } from "./page.ts";
import type { Search } from "./search.ts";
import type { Sort } from "./sort.ts";

/** The parts of each row to read: fields by name, in order, and relations with nested selections. */
export interface Selection {
  readonly fields: readonly string[];
  readonly relations: readonly RelationSelection[];
}

/** A relation to read. The list parts only exist for to-many relations, and apply to each parent row separately. */
export interface RelationSelection {
  readonly relation: string;
  /**
   * Name of the result: the relation's name, followed by the list parts if they aren't the defaults. A relation that is
   * selected twice with the same list parts is read once.
   */
  readonly as: string;
  readonly filter?: Filter;
  readonly search?: Search;
  readonly sort: Sort;
  /** Absent for to-one relations. */
  readonly page?: Page;
  readonly count?: Count;
  /** Set if groups of the related rows are selected instead of the rows. `selection` is then empty. */
  readonly aggregation?: Aggregation;
  readonly selection: Selection;
}
