import type { Model, RelationModel, ResourceModel } from "../../model/model.ts";
import { offeredRelations } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";

/** Returns the to-many relations whose rows can be aggregated. Each has a field such as `booksAggregate`. */
export function aggregatedRelations(model: Model, resource: ResourceModel): readonly RelationModel[] {
  return offeredRelations(model, resource).filter(
    ({ many, target }) => many && resourceOf(model, target).aggregates.isDeclared,
  );
}
