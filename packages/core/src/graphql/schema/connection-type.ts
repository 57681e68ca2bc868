import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { PageSummary } from "../../operation/visible-rows.ts";
import type { NodePage } from "../node.ts";
import { edgesOf, nodesOf, totalOf, wholeOf } from "../incremental/late-page.ts";
import { computed, registerReader } from "../reader.ts";
import type { SchemaTypes } from "./schema-types.ts";

interface EdgeSource {
  readonly page: NodePage;
  readonly index: number;
}

/** `PageInfo` of Relay's cursor connections specification (§5). */
export const PageInfo = new GraphQLObjectType<PageSummary>({
  name: "PageInfo",
  description: "Information about a page of a list.",
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean), resolve: computed((page) => page.hasNext) },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean), resolve: computed((page) => page.hasPrevious) },
    startCursor: { type: GraphQLString, resolve: computed((page) => cursorAt(page, 0)) },
    endCursor: { type: GraphQLString, resolve: computed((page) => cursorAt(page, page.length - 1)) },
  },
});

function cursorAt(page: PageSummary, index: number): string | null {
  return page.length === 0 ? null : page.cursor(index);
}

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
      pageInfo: { type: new GraphQLNonNull(PageInfo), resolve: computed((page) => wholeOf(page)) },
      totalCount: {
        type: new GraphQLNonNull(GraphQLInt),
        description: "Total number of matching rows, on all pages. Counted only when selected.",
        resolve: computed((page) => totalOf(page)),
      },
    },
  });
}

function listOf(
  type: GraphQLNonNull<GraphQLObjectType>,
): GraphQLNonNull<GraphQLList<GraphQLNonNull<GraphQLObjectType>>> {
  return new GraphQLNonNull(new GraphQLList(type));
}
