import type { GraphQLResolveInfo } from "graphql";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { PageNode } from "../operation/outcome.ts";
import { contextOf } from "./context.ts";
import { toGraphQLError } from "./graphql-error.ts";
import { rememberSelection } from "./lower/selection-of.ts";
import { type Arguments, readOutcome, registerRoot, type RootField } from "./root-field.ts";

export type Resolver = (
  source: unknown,
  args: Arguments,
  contextValue: unknown,
  info: GraphQLResolveInfo,
) => Promise<unknown>;

/** Creates a resolver for graphql-js that lowers a root field to one operation and runs it. */
export function resolver<Selected>(root: RootField<Selected>): Resolver {
  const selectionOf = rememberSelection(root.select);
  const resolve: Resolver = async (_source, args, contextValue, info) => {
    const { run, caller, outcomes, late } = contextOf(contextValue);
    try {
      const before = outcomes?.get(info.path.key);
      if (before !== undefined) return readOutcome(root as RootField, before, args);
      const selected = late === undefined ? selectionOf(info) : root.select(late.nodesOf(info), late.document);
      const operation = root.lower(args, selected);
      if (operation === undefined) return null;
      const value = readOutcome(root as RootField, await run(operation, caller), args);
      return late !== undefined && operation.kind === "list"
        ? late.rootPage(value as PageNode, operation, args, info)
        : value;
    } catch (thrown) {
      throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
    }
  };
  registerRoot(resolve, root);
  return resolve;
}
