import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from "graphql";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import type { HttpResponse } from "../../http/message.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { hideSuggestions } from "./hide-suggestions.ts";
import { JSON_TYPE, type MediaType, RESPONSE_JSON } from "./media-type.ts";
import { type StatusCodes, statusOfRefusal, statusOfResult, typeFor } from "./status.ts";

/** What an API chose about its answers. */
export interface Answering {
  readonly status: StatusCodes;
  readonly suggestions: boolean;
}

/** An execution result as a response. */
export function serializeResult(
  result: ExecutionResult,
  type: MediaType,
  method: string,
  answering: Answering,
): HttpResponse {
  const failed = result.errors !== undefined && result.errors.length > 0;
  const status = statusOfResult(result, type, answering.status);
  return {
    status,
    headers: {
      "Content-Type": `${typeFor(status, type, answering.status)}; charset=utf-8`,
      "Cache-Control": method === "GET" && !failed ? "private, no-cache" : "no-store",
      "X-Content-Type-Options": "nosniff",
    },
    body: JSON.stringify(formatResult(result, answering)),
  };
}

/** What stands before GraphQL: a request that is none. Its status says so in every media type. */
export function serializeRefusal(
  error: BifocalError,
  type: MediaType = JSON_TYPE,
  codes: StatusCodes = "classic",
): HttpResponse {
  const status = statusOfRefusal(error, codes);
  return {
    status,
    headers: {
      "Content-Type": `${typeFor(status, type === RESPONSE_JSON ? RESPONSE_JSON : JSON_TYPE, codes)}; charset=utf-8`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...error.headers,
    },
    body: JSON.stringify({ errors: [withCode(toGraphQLError(error), error.code)] }),
  };
}

/** Every error gets a code. One without is of graphql-js: about the request, or about a value that broke the schema. */
export function formatResult(result: ExecutionResult, answering: Answering): Record<string, unknown> {
  const { errors, ...rest } = result;
  if (errors === undefined || errors.length === 0) return rest;
  const code = "data" in result && result.data !== undefined ? "INTERNAL" : "BAD_REQUEST";
  return { errors: errors.map((error) => formatError(error, code, answering)), ...rest };
}

/** One error as clients see it, with a code: `code` where it has none of its own. */
export function formatError(error: GraphQLError, code: ErrorCode, { suggestions }: Answering): GraphQLFormattedError {
  const formatted = withCode(error, code);
  return suggestions ? formatted : hideSuggestions(formatted);
}

function withCode(error: GraphQLError, code: ErrorCode): GraphQLFormattedError {
  const formatted = error.toJSON();
  if (formatted.extensions?.["code"] !== undefined) return formatted;
  return { ...formatted, extensions: { ...formatted.extensions, code } };
}
