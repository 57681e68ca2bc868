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
import type { FieldTarget } from "../lower/field-target.ts";
import { resolveAggregate } from "../resolve-aggregate.ts";
import { aggregateArguments } from "./aggregate-types.ts";
import { deletedArgument } from "./deleted-argument.ts";
import { listArguments } from "./list-types.ts";
import { namedQueryFields } from "./named-query-fields.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { resolveNode, resolveNodes } from "../resolve-node.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

/** Creates `book(id)`, `books(…)` and the fields of queries, if the resource offers them. */
export function queryFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const target = { model: types.model, resource, limits: types.limits, ids: types.ids };
  const deprecationReason = resource.deprecated ?? null;
  const { get, list } = resource.operations.graphql;
  const fields: Field[] = [];
  if (get) {
    const config: Field[1] = {
      type: types.resource(resource),
      description: `The ${resource.typeName} with this id, or null if it doesn't exist.`,
      deprecationReason,
      args: { id: { type: new GraphQLNonNull(GraphQLID) }, ...deletedArgument(resource) },
      resolve: resolveGet(target),
    };
    fields.push([resource.name, config]);
  }
  if (list) {
    const config: Field[1] = {
      type: new GraphQLNonNull(types.connection(resource)),
      description: `A list of ${resource.pluralTypeName}.`,
      deprecationReason,
      args: { ...listArguments(types, resource), ...deletedArgument(resource) },
      resolve: resolveList(target),
    };
    fields.push([resource.plural, config]);
  }
  return [...fields, ...aggregateField(types, target), ...namedQueryFields(types, resource)];
}

/** Creates `booksAggregate(…)` if the resource declares what to aggregate or to group by. */
function aggregateField(types: SchemaTypes, target: FieldTarget): readonly Field[] {
  const { resource } = target;
  if (!resource.aggregates.isDeclared || !resource.operations.graphql.list) return [];
  return [
    [
      `${resource.plural}Aggregate`,
      {
        type: new GraphQLNonNull(types.aggregate(resource).page),
        description: `Values computed from groups of ${resource.pluralTypeName}, or from all of them.`,
        deprecationReason: resource.deprecated ?? null,
        args: aggregateArguments(types, resource),
        resolve: resolveAggregate(target),
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

/**
 * Creates `node(id)` and `nodes(ids)` if ids are global (Relay's Global Object Identification). They find rows of the
 * resources that offer `get`.
 */
export function nodeFields(types: SchemaTypes): GraphQLFieldConfigMap<unknown, unknown> {
  const { node: type, model } = types;
  const hasNodes = [...model.resources.values()].some(({ operations }) => operations.graphql.get);
  if (type === undefined || !hasNodes) return {};
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
