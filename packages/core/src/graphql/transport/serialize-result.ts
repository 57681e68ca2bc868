import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from "graphql";
import { type BifocalError, isBifocalError } from "../../errors/bifocal-error.ts";
import { type ErrorCode, STATUS } from "../../errors/codes.ts";
import type { HttpResponse } from "../../http/message.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { JSON_TYPE, type MediaType, RESPONSE_JSON } from "./media-type.ts";

/**
 * An execution result as a response. By the newer media type the status tells a refused request (no `data` at all)
 * from an answered one; by `application/json` it is 200 for both, as clients of old expect.
 */
export function serializeResult(result: ExecutionResult, type: MediaType, method: string): HttpResponse {
  const refused = !("data" in result) || result.data === undefined;
  const failed = result.errors !== undefined && result.errors.length > 0;
  return {
    status: refused && type === RESPONSE_JSON ? STATUS.BAD_REQUEST : 200,
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": method === "GET" && !failed ? "private, no-cache" : "no-store",
      "X-Content-Type-Options": "nosniff",
    },
    body: JSON.stringify(formatResult(result)),
  };
}

/** What stands before GraphQL: a request that is none. Its status says so in every media type. */
export function serializeRefusal(error: BifocalError, type: MediaType = JSON_TYPE): HttpResponse {
  return {
    status: STATUS[error.code],
    headers: {
      "Content-Type": `${type === RESPONSE_JSON ? RESPONSE_JSON : JSON_TYPE}; charset=utf-8`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...error.headers,
    },
    body: JSON.stringify({ errors: [formatError(toGraphQLError(error), error.code)] }),
  };
}

/** Every error gets a code. One without is of graphql-js: about the request, or about a value that broke the schema. */
export function formatResult(result: ExecutionResult): Record<string, unknown> {
  const { errors, ...rest } = result;
  if (errors === undefined || errors.length === 0) return rest;
  const code = "data" in result && result.data !== undefined ? "INTERNAL" : "BAD_REQUEST";
  return { errors: errors.map((error) => formatError(error, code)), ...rest };
}

function formatError(error: GraphQLError, code: ErrorCode): GraphQLFormattedError {
  const formatted = error.toJSON();
  if (formatted.extensions?.["code"] !== undefined) return formatted;
  return { ...formatted, extensions: { ...formatted.extensions, code } };
}

/** Errors as results hold them, each with its code. */
export function withCodes(errors: readonly GraphQLError[], code: ErrorCode): readonly GraphQLError[] {
  return errors.map((error) => {
    if (error.extensions["code"] !== undefined) return error;
    const { message, nodes, source, positions, path, originalError } = error;
    const extensions = { ...error.extensions, code };
    return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
  });
}

export function refusalOf(thrown: unknown): BifocalError {
  if (isBifocalError(thrown)) return thrown;
  throw thrown;
}
