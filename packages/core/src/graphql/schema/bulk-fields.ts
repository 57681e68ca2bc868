import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import { resolveCreateMany, resolveDeleteMany, resolveUpdateMany } from "../resolve-bulk.ts";
import { searchArgument } from "./list-types.ts";
import { writtenType } from "./mutation-fields.ts";
import type { SchemaTypes } from "./schema-types.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

/** Creates `createBooks`, `updateBooks` and `deleteBooks` if the resource offers them. */
export function bulkFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const { bulk, pluralTypeName } = resource;
  const { createMany, updateMany, deleteMany } = types.offered(resource);
  const target = { model: types.model, resource, limits: types.limits, ids: types.ids };
  const deprecationReason = resource.deprecated ?? null;
  const fields: Field[] = [];
  const create = types.write(resource, "create");
  if (createMany && create !== undefined) {
    fields.push([
      `create${pluralTypeName}`,
      {
        type: new GraphQLNonNull(new GraphQLList(writtenType(types, resource))),
        description: `Creates up to ${bulk.create} ${pluralTypeName}, all or none.`,
        deprecationReason,
        args: { input: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(create))) } },
        resolve: resolveCreateMany(target),
      },
    ]);
  }
  const which = conditionArguments(types, resource);
  if (which === undefined) return fields;
  const ifMatch = {
    type: GraphQLString,
    description: "The versions of all matching rows, one for each: ETags, or `*`. Otherwise, none is written.",
  };
  const update = types.write(resource, "update");
  if (updateMany && update !== undefined) {
    fields.push([
      `update${pluralTypeName}`,
      {
        type: new GraphQLNonNull(countType("Updated", resource)),
        description: `Updates all matching ${pluralTypeName}, or none. At most ${bulk.update}.`,
        deprecationReason,
        args: { ...which, input: { type: new GraphQLNonNull(update) }, ifMatch },
        resolve: resolveUpdateMany(target),
      },
    ]);
  }
  if (deleteMany) {
    fields.push([
      `delete${pluralTypeName}`,
      {
        type: new GraphQLNonNull(countType("Deleted", resource)),
        description: `Deletes all matching ${pluralTypeName}, or none. At most ${bulk.delete}.`,
        deprecationReason,
        args: { ...which, ifMatch },
        resolve: resolveDeleteMany(target),
      },
    ]);
  }
  return fields;
}

/** Without a search, the filter is required. Returns undefined if the rows can neither be filtered nor searched. */
function conditionArguments(types: SchemaTypes, resource: ResourceModel): GraphQLFieldConfigArgumentMap | undefined {
  const filter = types.filter(resource);
  if (resource.search.length > 0) {
    const description = "Required unless `search` is set.";
    return {
      ...(filter === undefined ? {} : { filter: { type: filter, description } }),
      search: searchArgument(resource, false),
    };
  }
  return filter === undefined ? undefined : { filter: { type: new GraphQLNonNull(filter) } };
}

function countType(what: "Updated" | "Deleted", { pluralTypeName }: ResourceModel): GraphQLObjectType {
  return new GraphQLObjectType({
    name: what + pluralTypeName,
    fields: {
      count: { type: new GraphQLNonNull(GraphQLInt) },
      ids: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLID))) },
    },
  });
}
