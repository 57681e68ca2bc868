import { type GraphQLFieldConfig, GraphQLID, GraphQLNonNull, GraphQLObjectType } from "graphql";
import type { FieldModel, RelationModel, ResourceModel, Row } from "../../model/model.ts";
import type { Node } from "../../operation/outcome.ts";
import { formatId, keyOf } from "../../operation/key.ts";
import { hasComputedId } from "../computed-id.ts";
import { placeOf, relationPlace } from "../lower/relation-place.ts";
import { computed, readable, readField, registerReader } from "../reader.ts";
import type { Arguments } from "../root-field.ts";
import { listArguments } from "./list-arguments.ts";
import { capitalize } from "./names.ts";
import { resourceOf, type SchemaTypes } from "./schema-types.ts";
import { nonNull } from "./value-types.ts";

/** The type of one row. Its resolvers only read what the engine has put into the node. */
export function resourceType(types: SchemaTypes, resource: ResourceModel): GraphQLObjectType {
  return new GraphQLObjectType<Node>({
    name: resource.typeName,
    description: resource.description ?? null,
    fields: () => {
      const fields: Record<string, GraphQLFieldConfig<Node, unknown>> = {};
      if (hasComputedId(resource)) fields["id"] = idConfig(resource);
      for (const field of resource.visibleFields) fields[field.name] = fieldConfig(types, resource, field);
      for (const relation of resource.relations.values()) fields[relation.name] = relationConfig(types, relation);
      return fields;
    },
  });
}

/** What the arguments called `id` take, and what caches of clients tell rows apart by. */
function idConfig(resource: ResourceModel): GraphQLFieldConfig<Node, unknown> {
  return {
    type: new GraphQLNonNull(GraphQLID),
    description:
      resource.key.length === 1
        ? `The key, '${resource.key.join()}', percent-encoded.`
        : `The key: ${resource.key.join(", ")}, percent-encoded and joined by commas.`,
    resolve: computed((node) => formatId(resource, keyOf(resource, node as Row))),
  };
}

function fieldConfig(
  types: SchemaTypes,
  resource: ResourceModel,
  field: FieldModel,
): GraphQLFieldConfig<Node, unknown> {
  const type = field.identifies ? GraphQLID : types.output(field.type, resource.typeName + capitalize(field.name));
  return {
    type: nonNull(type, field.type.nullable || field.read.kind !== "allow"),
    description: field.description ?? null,
    deprecationReason: field.deprecated ?? null,
    resolve: readField(field.name),
  };
}

function relationConfig(types: SchemaTypes, relation: RelationModel): GraphQLFieldConfig<Node, unknown> {
  const { model, limits } = types;
  const target = resourceOf(model, relation.target);
  const open = target.access.read.kind === "allow" && relation.read.kind === "allow";
  const source = { model, relation, target, limits };
  const rememberPlace = relationPlace(source);
  const resolve = registerReader<NonNullable<GraphQLFieldConfig<Node, unknown>["resolve"]>>(
    (node, args, _context, info) => readable(node, rememberPlace(args as Arguments, info), relation.name),
    { kind: "relation", name: relation.name, placeOf: (args) => placeOf(source, args) },
  );
  if (!relation.many) return { type: nonNull(types.resource(target), !open || relation.nullable), resolve };
  const type = types.connection(target);
  return { type: open ? new GraphQLNonNull(type) : type, args: listArguments(types, target), resolve };
}
