import { type GraphQLFieldConfig, GraphQLID, GraphQLNonNull } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import { resolveGet, resolveList } from "../resolve-query.ts";
import { listArguments } from "./list-arguments.ts";
import type { SchemaTypes } from "./schema-types.ts";

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
