import type { Model, RelationModel, ResourceModel } from "../../../model/model.ts";
import { isOfferedRelation } from "../../../model/offered.ts";
import { relationIn } from "../../../model/relation-in.ts";
import { selectFields } from "../../../lowering/lower-selection.ts";
import type { Selection } from "../../../operation/selection.ts";
import { labelFields } from "./value.ts";

/** Adds the label of each row that a selected field references. The engine reads the rows of a relation together. */
export function withReferenceLabels(model: Model, resource: ResourceModel, selection: Selection): Selection {
  const added = selection.fields.flatMap((field) => {
    const relation = referenceIn(model, resource, field);
    if (relation === undefined || selection.relations.some(({ as }) => as === relation.name)) return [];
    const target = model.resources.get(relation.target) as ResourceModel;
    const label = storedLabel(target);
    if (label === undefined) return [];
    const fields = selectFields(target, [...target.key, label]);
    return [{ relation: relation.name, as: relation.name, sort: [], selection: { fields, relations: [] } }];
  });
  if (added.length === 0) return selection;
  return {
    fields: selection.fields,
    relations: [...selection.relations, ...added].sort((a, b) => (a.as < b.as ? -1 : 1)),
  };
}

/** Returns the relation whose target's key a field holds, unless the relation is denied to everyone. */
export function referenceIn(model: Model, resource: ResourceModel, field: string): RelationModel | undefined {
  const relation = relationIn(resource, field);
  return relation !== undefined && isOfferedRelation(model, relation) ? relation : undefined;
}

/** Returns the field that labels a row, unless it has to be computed. */
export function storedLabel(target: ResourceModel): string | undefined {
  return labelFields(target).find(({ name }) => !target.computed.has(name))?.name;
}
