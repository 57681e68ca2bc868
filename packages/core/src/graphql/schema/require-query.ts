import type { GraphQLSchema } from "graphql";
import { DefinitionError } from "../../errors/definition-error.ts";

/** Throws a DefinitionError if there is no query: GraphQL requires at least one (specification §3.3.1). */
export function requireQuery(schema: GraphQLSchema): void {
  if (Object.keys(schema.getQueryType()?.getFields() ?? {}).length > 0) return;
  const problem = "GraphQL needs at least one query, but no resource offers 'get' or 'list' in GraphQL.";
  const fix = "Add one to 'operations' of a resource whose read rule isn't `deny`, or a query to 'graphql.extend'.";
  throw new DefinitionError([{ at: "resources", problem, fix }]);
}
