import type { GraphQLResolveInfo } from "graphql";
import { isBifocalError } from "../errors/bifocal-error.ts";
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

/** A root field as graphql-js executes it: lowered to one operation, which is run. */
export function resolver<Selected>(root: RootField<Selected>): Resolver {
  const selectionOf = rememberSelection(root.select);
  const resolve: Resolver = async (_source, args, contextValue, info) => {
    const { run, caller, outcomes } = contextOf(contextValue);
    try {
      const before = outcomes?.get(info.path.key);
      if (before !== undefined) return readOutcome(root as RootField, before, args);
      const operation = root.lower(args, selectionOf(info));
      return operation === undefined ? null : readOutcome(root as RootField, await run(operation, caller), args);
    } catch (thrown) {
      throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
    }
  };
  registerRoot(resolve, root);
  return resolve;
}
