import type { Filter } from "./filter.ts";
import type { Page } from "./page.ts";
import type { Sort } from "./sort.ts";

/** What to read of each row: fields by name, in order, and relations with a selection of their own. */
export interface Selection {
  readonly fields: readonly string[];
  readonly relations: readonly RelationSelection[];
}

/** A relation to read. The list parts are for to-many relations only and hold for each parent row on its own. */
export interface RelationSelection {
  readonly relation: string;
  /**
   * Where the result stands in the node: the relation's name, or, where the list parts are not the default ones, the
   * name and those parts. The same relation asked for twice in the same way is read once.
   */
  readonly as: string;
  readonly filter?: Filter;
  readonly sort: Sort;
  /** Absent for a to-one relation. */
  readonly page?: Page;
  readonly count?: boolean;
  readonly selection: Selection;
}
