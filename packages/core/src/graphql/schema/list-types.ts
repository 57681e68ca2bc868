import {
  type GraphQLArgumentConfig,
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLEnumValueConfigMap,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { DefinitionError } from "../../errors/definition-error.ts";
import { describeSearch } from "../../lowering/lower-search.ts";
import { describeEnumOrder, offeredSortPaths } from "../../lowering/lower-sort.ts";
import type { ResourceModel } from "../../model/model.ts";
import { mapMaybePromise } from "../../util/maybe-promise.ts";
import { edgesOf, nodesOf, totalOf, wholeOf } from "../incremental/late-page.ts";
import type { NodePage } from "../node.ts";
import { readFrom, registerReader } from "../reader.ts";
import { constantCase } from "../../util/constant-case.ts";
import { PageInfo } from "./page-info.ts";
import type { SchemaTypes } from "./schema-types.ts";

/** Creates the arguments of a list, root or nested. */
export function listArguments(types: SchemaTypes, resource: ResourceModel): GraphQLFieldConfigArgumentMap {
  const filter = types.filter(resource);
  const sort = types.sort(resource);
  const { size, max } = resource.page;
  return {
    ...(filter === undefined ? {} : { filter: { type: filter } }),
    ...(resource.search.length === 0 ? {} : { search: searchArgument(resource, true) }),
    ...(sort === undefined ? {} : { sort: { type: new GraphQLList(new GraphQLNonNull(sort)) } }),
    first: {
      type: GraphQLInt,
      description: `Number of rows. Default: ${size}, unless \`last\` is set. Maximum: ${max}.`,
    },
    after: { type: GraphQLString, description: "Only rows after this cursor." },
    last: { type: GraphQLInt, description: "Number of rows, counted from the end." },
    before: { type: GraphQLString, description: "Only rows before this cursor." },
    offset: { type: GraphQLInt, description: "Number of rows to skip." },
  };
}

/** `isList`: whether relevance can be the order of the result. */
export function searchArgument(resource: ResourceModel, isList: boolean): GraphQLArgumentConfig {
  return { type: GraphQLString, description: describeSearch(resource, isList) };
}

/** Creates `PRICE_ASC`, `AUTHOR_NAME_DESC` and so on. The value of each is the sort term of REST and local calls. */
export function sortEnum(types: SchemaTypes, resource: ResourceModel): GraphQLEnumType | undefined {
  const values: GraphQLEnumValueConfigMap = {};
  const paths = offeredSortPaths(types.model, resource);
  const own = new Set(paths.filter((path) => path.length === 1).map(([name]) => constantCase(name)));
  for (const path of paths) {
    const parts = path.map(constantCase);
    const plain = parts.join("_");
    const name = path.length > 1 && own.has(plain) ? parts.join("__") : plain;
    const first = values[`${name}_ASC`]?.value as string | undefined;
    if (first !== undefined) throw sharedValue(resource, name, [first, path.join(".")]);
    const description = describeEnumOrder(types.model, resource, path) ?? null;
    values[`${name}_ASC`] = { value: path.join("."), description };
    values[`${name}_DESC`] = { value: `-${path.join(".")}`, description };
  }
  if (paths.length === 0) return undefined;
  return new GraphQLEnumType({
    name: `${resource.typeName}Sort`,
    description: "Nulls come last in ascending order and first in descending order. The key breaks ties.",
    values,
  });
}

function sharedValue(
  { name, typeName }: ResourceModel,
  value: string,
  [one, other]: readonly [string, string],
): DefinitionError {
  const problem = `In the GraphQL enum '${typeName}Sort', '${one}' and '${other}' would have the same name ${value}_ASC.`;
  const fix = "Rename one of the fields, or remove it from 'sortable'.";
  return new DefinitionError([{ at: `${name}.sortable`, problem, fix }]);
}

interface EdgeSource {
  readonly page: NodePage;
  readonly index: number;
}

const EXACT_TOTAL_COUNT: GraphQLFieldConfig<NodePage, unknown> = {
  type: new GraphQLNonNull(GraphQLInt),
  description: "Total number of matching rows, counted without a limit.",
  resolve: readFrom((page: NodePage) => mapMaybePromise(totalOf(page, "exact"), ({ total }) => total)),
};

/** Creates the type of one page of rows: a Relay connection with `nodes` and `totalCount` added. */
export function connectionType(types: SchemaTypes, resource: ResourceModel): GraphQLObjectType {
  const row = new GraphQLNonNull(types.resource(resource));
  const edge = new GraphQLObjectType<EdgeSource>({
    name: `${resource.typeName}Edge`,
    fields: {
      node: { type: row, resolve: registerReader(({ page, index }) => page.nodes[index], { kind: "node" }) },
      cursor: {
        type: new GraphQLNonNull(GraphQLString),
        description: "The cursor of this row, for `after` and `before`.",
        resolve: registerReader(({ page, index }) => page.cursor(index), { kind: "cursor" }),
      },
    },
  });
  return new GraphQLObjectType<NodePage>({
    name: `${resource.typeName}Connection`,
    fields: {
      nodes: { type: listOf(row), resolve: registerReader((page) => nodesOf(page), { kind: "nodes" }) },
      edges: {
        type: listOf(new GraphQLNonNull(edge)),
        resolve: registerReader((page) => edgesOf(page), { kind: "edges" }),
      },
      pageInfo: { type: new GraphQLNonNull(PageInfo), resolve: readFrom((page) => wholeOf(page)) },
      totalCount: {
        type: new GraphQLNonNull(GraphQLInt),
        description:
          "Total number of matching rows, on all pages. Counted only when selected, and only up to a limit: see `totalCountIsExact`.",
        resolve: readFrom((page) => mapMaybePromise(totalOf(page), ({ total }) => total)),
      },
      totalCountIsExact: {
        type: new GraphQLNonNull(GraphQLBoolean),
        description: "False if counting stopped at the limit, so that there are at least `totalCount` rows.",
        resolve: readFrom((page) => mapMaybePromise(totalOf(page), ({ totalIsExact }) => totalIsExact)),
      },
      ...(resource.exactCount ? { exactTotalCount: EXACT_TOTAL_COUNT } : {}),
    },
  });
}

function listOf(
  type: GraphQLNonNull<GraphQLObjectType>,
): GraphQLNonNull<GraphQLList<GraphQLNonNull<GraphQLObjectType>>> {
  return new GraphQLNonNull(new GraphQLList(type));
}
