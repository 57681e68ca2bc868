import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLNonNull,
  type GraphQLOutputType,
} from "graphql";
import type { QueryModel, ResourceModel } from "../../model/model.ts";
import { offeredQueries } from "../../model/offered.ts";
import { resolveQueriedRows, resolveQueriedValue } from "../resolve-named-query.ts";
import { listArguments } from "./list-types.ts";
import { capitalize } from "./names.ts";
import type { SchemaTypes } from "./schema-types.ts";
import { nonNull } from "./value-types.ts";

type Field = readonly [string, GraphQLFieldConfig<unknown, unknown>];

/**
 * Creates `trendingBooks(year, filter, …)` for a query that returns rows, and `bookSummary(id)` or `booksStats` for one
 * that returns a value.
 */
export function namedQueryFields(types: SchemaTypes, resource: ResourceModel): readonly Field[] {
  const target = { model: types.model, resource, limits: types.limits, ids: types.ids };
  return offeredQueries(resource, "graphql").map((query) => {
    const name = namedQueryFieldName(resource, query);
    const args: GraphQLFieldConfigArgumentMap = {};
    if (query.on === "item") args["id"] = { type: new GraphQLNonNull(GraphQLID) };
    for (const member of query.input?.type.members ?? [])
      args[member.name] = types.inputMember(member, capitalize(name));
    const config: GraphQLFieldConfig<unknown, unknown> = {
      type: resultType(types, resource, query, capitalize(name)),
      description: query.description ?? null,
      deprecationReason: query.deprecated ?? resource.deprecated ?? null,
      args: query.output === undefined ? { ...args, ...listArguments(types, resource) } : args,
      resolve: query.output === undefined ? resolveQueriedRows(target, query) : resolveQueriedValue(target, query),
    };
    return [name, config];
  });
}

export function namedQueryFieldName(
  { name, plural, pluralTypeName }: ResourceModel,
  { name: query, on, output }: QueryModel,
): string {
  if (output === undefined) return query + pluralTypeName;
  return (on === "item" ? name : plural) + capitalize(query);
}

/** Like `book(id)`, a query on a row is null if the row doesn't exist. */
function resultType(types: SchemaTypes, resource: ResourceModel, query: QueryModel, name: string): GraphQLOutputType {
  const isItem = query.on === "item";
  if (query.output === undefined) return nonNull(types.connection(resource), isItem);
  const { type } = query.output;
  return nonNull(types.output(type, `${name}Output`), type.nullable || isItem);
}
