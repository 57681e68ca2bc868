import { GraphQLError } from "graphql";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { RootPlan } from "../compile/plan.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { type ErrorSettings, formatError } from "./format-error.ts";
import type { RootResult } from "./result.ts";

/** Reports an error of a root field as graphql-js does for a resolver, with its locations and its path. */
export function failed(settings: ErrorSettings, { key, nodes, isNonNull }: RootPlan, thrown: unknown): RootResult {
  const error = isBifocalError(thrown) ? toGraphQLError(thrown) : (thrown as Error);
  const extensions = error instanceof GraphQLError ? error.extensions : {};
  const located = new GraphQLError(error.message, { nodes, path: [key], originalError: error, extensions });
  return { text: "null", isFatal: isNonNull, errors: [formatError(located, "INTERNAL", settings)] };
}
