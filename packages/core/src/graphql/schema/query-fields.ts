import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
} from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import { resolveGet, resolveList } from "../resolve-query.ts";
import { listArguments } from "./list-types.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { resolveNode, resolveNodes } from "../resolve-node.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

/** Creates `book(id)` and `books(…)`. */
export function queryFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const target = { model: types.model, resource, limits: types.limits, ids: types.ids };
  const deprecationReason = resource.deprecated ?? null;
  return [
    [
      resource.name,
      {
        type: types.resource(resource),
        description: `The ${resource.typeName} with this id, or null if it doesn't exist.`,
        deprecationReason,
        args: { id: { type: new GraphQLNonNull(GraphQLID) } },
        resolve: resolveGet(target),
      },
    ],
    [
      resource.plural,
      {
        type: new GraphQLNonNull(types.connection(resource)),
        description: `A list of ${resource.pluralTypeName}.`,
        deprecationReason,
        args: listArguments(types, resource),
        resolve: resolveList(target),
      },
    ],
  ];
}

/** Creates Relay's interface `Node` for types with a global id. */
export function nodeInterface(): GraphQLInterfaceType {
  return new GraphQLInterfaceType({
    name: "Node",
    description: "A row of any type. `node` finds it by id.",
    fields: { id: { type: new GraphQLNonNull(GraphQLID) } },
  });
}

/** Creates `node(id)` and `nodes(ids)` if ids are global (Relay's Global Object Identification). */
export function nodeFields(types: SchemaTypes): GraphQLFieldConfigMap<unknown, unknown> {
  const { node: type } = types;
  if (type === undefined) return {};
  return {
    node: {
      type,
      description: "The row with this id, or null if it doesn't exist.",
      args: { id: { type: new GraphQLNonNull(GraphQLID) } },
      resolve: resolveNode(types),
    },
    nodes: {
      type: new GraphQLNonNull(new GraphQLList(type)),
      description: `The rows with these ids, in the same order; null for ids that don't exist. At most ${types.limits.query.listOperand}.`,
      args: { ids: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLID))) } },
      resolve: resolveNodes(types),
    },
  };
}
