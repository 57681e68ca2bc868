import type { RelationModel, ResourceModel } from "../../model/model.ts";
import type { Aggregation } from "../../operation/aggregation.ts";
import type { Filter } from "../../operation/filter.ts";
import type { StoreGroupTerm } from "../../store/store.ts";

/** An aggregation of the rows of a resource or of a relation. */
export interface AggregateList extends Aggregation {
  readonly target: ResourceModel;
  readonly relation?: RelationModel | undefined;
  /** The group terms for the store. */
  readonly terms: readonly StoreGroupTerm[];
  /** The caller's own filter, which cursors are bound to. */
  readonly asked: Filter | undefined;
}
