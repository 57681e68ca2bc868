import type { GraphQLFormattedError } from "graphql";

const SUGGESTION = / Did you mean [^?]*\?/g;

/**
 * Removes suggested names from an error of graphql-js. This happens when errors are formatted, because not every
 * version of graphql-js has an option for it in all places.
 */
export function hideSuggestions(error: GraphQLFormattedError): GraphQLFormattedError {
  const message = error.message.replaceAll(SUGGESTION, "");
  return message === error.message ? error : { ...error, message };
}
