import {
  getNamedType,
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from "graphql";
import type { ComparedModel, Model, ResourceModel } from "../../model/model.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { offeredRelations } from "../../model/offered.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { type Operator, OPERATORS } from "../../definition/operators.ts";
import { operatorsOf, type WireType } from "../../model/wire-type.ts";
import { idOwner } from "../ids.ts";
import { capitalize } from "./names.ts";
import { nonNullInput } from "./value-types.ts";

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
      for (const relation of offeredRelations(types.model, resource)) {
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
      const along = offeredRelations(model, resource).some((relation) => found.has(relation.target));
      if (own || along) found.add(resource.name);
    }
  }
  return found;
}

/** Global ids can only be compared for equality, like UUIDs; their text and order have no meaning. */
const OF_OPAQUE: ReadonlySet<Operator> = new Set(operatorsOf({ kind: "uuid", nullable: false }));

/**
 * Creates `StringFilter`, `IDFilter`, `BookGenreFilter` and so on: the operators of one type of value. Fields with the
 * same operators share one type.
 */
export function createOperatorInputs(
  types: Pick<SchemaTypes, "model" | "ids" | "names" | "operand">,
): (resource: ResourceModel, field: ComparedModel) => GraphQLInputObjectType {
  const made = new Map<string, GraphQLInputObjectType>();
  return (resource, field) => {
    const list = field.type.kind === "list" ? field.type : undefined;
    const operand = types.operand(resource, field, list?.item ?? field.type);
    const isOpaque = types.ids.isGlobal && idOwner(types.model, resource, field) !== undefined;
    const operators = isOpaque ? field.operators.filter((operator) => OF_OPAQUE.has(operator)) : field.operators;
    const word = isOpaque ? GraphQLID.name : wordOf(field, list?.item ?? field.type);
    const name = (word ?? getNamedType(operand).name) + (list ? "List" : "");
    const key = `${name} ${operators.join()}`;
    const before = made.get(key);
    if (before !== undefined) return before;
    const type = new GraphQLInputObjectType({
      name: types.names.claim(`${name}Filter`),
      fields: fieldsOf(operators, operand),
    });
    made.set(key, type);
    return type;
  };
}

/** Keys of different kinds have different operators. */
function wordOf(field: ComparedModel, type: WireType): string | undefined {
  if (!field.identifies) return undefined;
  return type.kind === "uuid" || type.kind === "enum" ? GraphQLID.name : capitalize(type.kind) + GraphQLID.name;
}

function fieldsOf(operators: readonly Operator[], operand: GraphQLInputType): GraphQLInputFieldConfigMap {
  const fields: GraphQLInputFieldConfigMap = {};
  for (const operator of operators) fields[operator] = { type: typeOf(operator, operand) };
  return fields;
}

function typeOf(operator: Operator, operand: GraphQLInputType): GraphQLInputType {
  const traits = OPERATORS[operator];
  switch (traits.operand) {
    case "flag":
      return GraphQLBoolean;
    case "one":
    case "text":
      return operand;
    case "list":
    case "pair":
      return new GraphQLList(nonNullInput(operand, traits.nullable));
  }
}
