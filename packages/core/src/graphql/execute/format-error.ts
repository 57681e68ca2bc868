import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { type BifocalError, isBifocalError } from "../../errors/bifocal-error.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import type { Caller } from "../../operation/run.ts";
import { toGraphQLError } from "../graphql-error.ts";

/** Settings of an API for errors. */
export interface ErrorSettings {
  readonly suggestions: boolean;
  /** Maximum number of errors in one result. */
  readonly resultErrors: number;
  /**
   * Logs an error of the host's code and returns an error that the caller may see. Called without a caller if the
   * result is shared by several subscribers.
   */
  readonly mask: (thrown: unknown, caller?: Caller) => BifocalError;
}

/** Formats an error for clients. `code` applies if the error has no code. */
export function formatError(
  error: GraphQLError,
  code: ErrorCode,
  { suggestions }: ErrorSettings,
): GraphQLFormattedError {
  const formatted = withCode(error, code);
  return suggestions ? formatted : hideSuggestions(formatted);
}

/**
 * Adds `code` to errors without a code. Those come from graphql-js and are about the request, or about a value that
 * violates the schema.
 */
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

const SUGGESTION = / Did you mean [^?]*\?/g;

/**
 * Removes suggested names from an error of graphql-js. This happens when errors are formatted, because not every
 * version of graphql-js has an option for it in all places.
 */
function hideSuggestions(error: GraphQLFormattedError): GraphQLFormattedError {
  const message = error.message.replaceAll(SUGGESTION, "");
  return message === error.message ? error : { ...error, message };
}
