import { GraphQLBoolean, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import type { PageSummary } from "../../operation/visible-rows.ts";
import { readFrom } from "../reader.ts";

/** `PageInfo` of Relay's cursor connections specification (§5). */
export const PageInfo = new GraphQLObjectType<PageSummary>({
  name: "PageInfo",
  description: "Information about a page of a list.",
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean), resolve: readFrom((page) => page.hasNext) },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean), resolve: readFrom((page) => page.hasPrevious) },
    startCursor: { type: GraphQLString, resolve: readFrom((page) => cursorAt(page, 0)) },
    endCursor: { type: GraphQLString, resolve: readFrom((page) => cursorAt(page, page.length - 1)) },
  },
});

function cursorAt(page: PageSummary, index: number): string | null {
  return page.length === 0 ? null : page.cursor(index);
}
