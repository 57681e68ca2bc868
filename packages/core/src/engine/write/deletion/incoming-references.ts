import type { Key, Model, RelationModel, ResourceModel } from "../../../model/model.ts";
import { valueFilter } from "../../../operation/keys-filter.ts";
import type { ListQuery } from "../../../store/store.ts";
import { inverseOf } from "../../read/inverse-of.ts";
import { totalSort } from "../../read/needed-fields.ts";

export interface Reference {
  /** The resource whose rows hold the reference. */
  readonly resource: ResourceModel;
  readonly relation: RelationModel;
}

const REFERENCES = new WeakMap<ResourceModel, readonly Reference[]>();
const LINKS = new WeakMap<ResourceModel, readonly RelationModel[]>();

/** Returns every `belongsTo` that references a resource. Cached, because a cascade needs it for each row. */
export function incomingReferences(model: Model, target: ResourceModel): readonly Reference[] {
  let found = REFERENCES.get(target);
  if (found === undefined) REFERENCES.set(target, (found = findReferences(model, target)));
  return found;
}

function findReferences(model: Model, target: ResourceModel): readonly Reference[] {
  return [...model.resources.values()].flatMap((resource) =>
    [...resource.relations.values()]
      .filter((relation) => relation.kind === "belongsTo" && relation.target === target.name)
      .map((relation) => ({ resource, relation })),
  );
}

const REFERENCED = new WeakMap<ResourceModel, readonly string[]>();

/** Returns the fields outside of the key by which other rows reference the rows of a resource. */
export function referencedFields(model: Model, target: ResourceModel): readonly string[] {
  let found = REFERENCED.get(target);
  if (found === undefined) {
    const fields = incomingReferences(model, target).flatMap(({ relation }) => relation.foreign);
    found = [...new Set(fields)].filter((name) => !target.key.includes(name));
    REFERENCED.set(target, found);
  }
  return found;
}

/** Returns every many-to-many relation of a resource, each link table once for each side. */
export function linkRelations(model: Model, resource: ResourceModel): readonly RelationModel[] {
  let known = LINKS.get(resource);
  if (known === undefined) LINKS.set(resource, (known = findLinks(model, resource)));
  return known;
}

function findLinks(model: Model, resource: ResourceModel): readonly RelationModel[] {
  const found = new Map<string, RelationModel>();
  for (const other of model.resources.values()) {
    for (const relation of other.relations.values()) {
      if (relation.through === undefined) continue;
      const sides = [
        ...(relation.source === resource.name ? [relation] : []),
        ...(relation.target === resource.name ? [inverseOf(relation)] : []),
      ];
      for (const side of sides) found.set(`${side.through?.name} ${side.through?.from.join()}`, side);
    }
  }
  return [...found.values()];
}

/** Returns a query for the rows that reference a value, without access rules. */
export function referencing(resource: ResourceModel, relation: RelationModel, value: Key): ListQuery {
  return {
    resource,
    filter: valueFilter(relation.local, value),
    sort: totalSort(resource, []),
    limit: 1_000,
  };
}
