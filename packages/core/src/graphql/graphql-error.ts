import { GraphQLError } from "graphql";
import { type BifocalError, isBifocalError } from "../errors/bifocal-error.ts";

/** Adds the code, issues and request id of a REST problem under `extensions`. */
export function toGraphQLError(error: BifocalError): GraphQLError {
  return new GraphQLError(error.message, {
    extensions: {
      code: error.code,
      ...(error.issues.length > 0 ? { errors: error.issues } : {}),
      ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
    },
  });
}

/** Converts errors of the engine to GraphQL errors. */
export async function withGraphQLErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
  }
}
