import { isBifocalError } from "../errors/bifocal-error.ts";
import { toGraphQLError } from "./graphql-error.ts";

/** Converts errors of the engine to GraphQL errors. */
export async function withGraphQLErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
  }
}
