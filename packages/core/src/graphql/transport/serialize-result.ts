import type { ExecutionResult } from "graphql";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import { type ErrorSettings, formatError, withCode } from "../execute/format-error.ts";
import type { ResultText } from "../execute/result.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { JSON_TYPE, type MediaType, RESPONSE_JSON } from "./media-type.ts";
import { type StatusCodes, statusOfRefusal, statusOfResult, typeFor } from "./status.ts";

/** Settings of an API for GraphQL responses. */
export interface Answering extends ErrorSettings {
  readonly status: StatusCodes;
}

/** Converts a result to an HTTP response. */
export function serializeResult(
  result: ResultText,
  type: MediaType,
  method: string,
  answering: Answering,
): HttpResponse {
  const status = statusOfResult(result, type, answering.status);
  return {
    status,
    headers: {
      "Content-Type": `${typeFor(status, type, answering.status)}; charset=utf-8`,
      "Cache-Control": method === "GET" && result.errors === undefined ? "private, no-cache" : "no-store",
      "X-Content-Type-Options": "nosniff",
    },
    body: result.text,
  };
}

/**
 * Responds to a request that fails before GraphQL executes anything. The status reflects the error in every media type.
 */
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

/** Formats a result of graphql-js for clients. */
export function formatResult(result: ExecutionResult, settings: ErrorSettings): Record<string, unknown> {
  const { errors, ...rest } = result;
  if (errors === undefined || errors.length === 0) return rest;
  const code = "data" in result && result.data !== undefined ? "INTERNAL" : "BAD_REQUEST";
  return { errors: errors.map((error) => formatError(error, code, settings)), ...rest };
}
