import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { type BifocalError, isBifocalError } from "../../errors/bifocal-error.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import type { Caller } from "../../operation/run.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { hideSuggestions } from "./hide-suggestions.ts";

/** What an API chose about its errors. */
export interface ErrorSettings {
  readonly suggestions: boolean;
  /** How many of a result are told. */
  readonly resultErrors: number;
  /** Logs what a host's own code has done wrong, and answers what the caller may know. Without a caller: what is written for many. */
  readonly mask: (thrown: unknown, caller?: Caller) => BifocalError;
}

/** One error as clients see it, with a code: `code` where it has none of its own. */
export function formatError(
  error: GraphQLError,
  code: ErrorCode,
  { suggestions }: ErrorSettings,
): GraphQLFormattedError {
  const formatted = withCode(error, code);
  return suggestions ? formatted : hideSuggestions(formatted);
}

/** One without a code is of graphql-js: about the request, or about a value that broke the schema. */
export function withCode(error: GraphQLError, code: ErrorCode): GraphQLFormattedError {
  const formatted = error.toJSON();
  if (formatted.extensions?.["code"] !== undefined) return formatted;
  const { originalError } = error;
  if (isBifocalError(originalError)) {
    const { extensions } = toGraphQLError(originalError);
    return { ...formatted, extensions: { ...formatted.extensions, ...extensions } };
  }
  return { ...formatted, extensions: { ...formatted.extensions, code } };
}
