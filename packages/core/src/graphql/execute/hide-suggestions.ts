import type { GraphQLFormattedError } from "graphql";

const SUGGESTION = / Did you mean [^?]*\?/g;

/**
 * Takes the names out of an error of graphql-js that it takes for the ones that were meant. Where errors are formatted,
 * because not every version of graphql-js can be told everywhere to keep them to itself.
 */
export function hideSuggestions(error: GraphQLFormattedError): GraphQLFormattedError {
  const message = error.message.replaceAll(SUGGESTION, "");
  return message === error.message ? error : { ...error, message };
}
