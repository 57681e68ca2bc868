import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { ErrorCode } from "../../errors/codes.ts";
import { hideSuggestions } from "./hide-suggestions.ts";

/** What an API chose about its errors. */
export interface ErrorSettings {
  readonly suggestions: boolean;
  /** How many of a result are told. */
  readonly resultErrors: number;
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
  return { ...formatted, extensions: { ...formatted.extensions, code } };
}
