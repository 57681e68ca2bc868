import { isBifocalError } from "../../errors/bifocal-error.ts";
import { toGraphQLError } from "../graphql-error.ts";

/** Converts errors of the engine to GraphQL errors. */
export async function told<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    throw isBifocalError(thrown) ? toGraphQLError(thrown) : thrown;
  }
}
