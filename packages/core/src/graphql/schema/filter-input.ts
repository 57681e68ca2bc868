import { type GraphQLInputFieldConfigMap, GraphQLInputObjectType, GraphQLList, GraphQLNonNull } from "graphql";
import type { Model, ResourceModel } from "../../model/model.ts";
import { resourceOf, type SchemaTypes } from "./schema-types.ts";

/** Creates `BookFilter`: the filterable fields, the relations, and `and`, `or`, `not`. */
export function filterInput(types: SchemaTypes, resource: ResourceModel): GraphQLInputObjectType {
  const self: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${resource.typeName}Filter`,
    description: "All conditions must match.",
    fields: () => {
      const fields: GraphQLInputFieldConfigMap = {};
      for (const field of resource.visibleFields) {
        if (!field.filterable) continue;
        fields[field.name] = { type: types.operators(resource, field), description: field.description ?? null };
      }
      for (const relation of resource.relations.values()) {
        const target = resourceOf(types.model, relation.target);
        const filter = types.filter(target);
        if (filter === undefined) continue;
        fields[relation.name] = { type: relation.many ? manyFilterInput(target, filter) : filter };
      }
      fields["and"] = { type: new GraphQLList(new GraphQLNonNull(self)), description: "All of these must match." };
      fields["or"] = {
        type: new GraphQLList(new GraphQLNonNull(self)),
        description: "At least one of these must match.",
      };
      fields["not"] = { type: self, description: "This must not match." };
      return fields;
    },
  });
  return self;
}

const manyFilters = new WeakMap<GraphQLInputObjectType, GraphQLInputObjectType>();

function manyFilterInput(target: ResourceModel, filter: GraphQLInputObjectType): GraphQLInputObjectType {
  const before = manyFilters.get(filter);
  if (before !== undefined) return before;
  const type = new GraphQLInputObjectType({
    name: `${target.typeName}ManyFilter`,
    fields: {
      some: { type: filter, description: "At least one related row matches." },
      every: { type: filter, description: "Every related row matches." },
      none: { type: filter, description: "No related row matches." },
    },
  });
  manyFilters.set(filter, type);
  return type;
}

/** Returns the names of the resources that can be filtered by a field of their own or of a related resource. */
export function filterableResources(model: Model): ReadonlySet<string> {
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const resource of model.resources.values()) {
      const own = resource.visibleFields.some((field) => field.filterable);
      const along = [...resource.relations.values()].some((relation) => found.has(relation.target));
      if (own || along) found.add(resource.name);
    }
  }
  return found;
}
