import { isRead } from "./is-read.ts";
import type { ExecutionResult } from "graphql";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import { type ErrorSettings, formatError, withCode } from "../execute/format-error.ts";
import type { ResultText } from "../execute/result.ts";
import { toGraphQLError } from "../graphql-error.ts";
import { type MediaType, RESPONSE_JSON } from "./media-type.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { ERROR_STATUS } from "../../errors/codes.ts";

/** Settings of an API for GraphQL responses. */
export interface Answering extends ErrorSettings {
  readonly status: StatusCodes;
  readonly headersOf: ResultHeaders;
}

/** Returns the headers of a result. They are the same object each time. */
export type ResultHeaders = (type: MediaType, isCacheable: boolean) => HttpResponse["headers"];

export function createResultHeaders(vary: string): ResultHeaders {
  const headersWith = (cacheControl: string): ((type: MediaType) => HttpResponse["headers"]) => {
    const known = new Map<MediaType, HttpResponse["headers"]>();
    return (type) => {
      let headers = known.get(type);
      if (headers === undefined) {
        headers = Object.freeze({
          "Content-Type": `${type}; charset=utf-8`,
          "Cache-Control": cacheControl,
          "X-Content-Type-Options": "nosniff",
          Vary: vary,
        });
        known.set(type, headers);
      }
      return headers;
    };
  };
  const cacheable = headersWith("private, no-cache");
  const uncacheable = headersWith("no-store");
  return (type, isCacheable) => (isCacheable ? cacheable(type) : uncacheable(type));
}

/** Converts a result to an HTTP response. */
export function serializeResult(
  result: ResultText,
  type: MediaType,
  method: string,
  answering: Answering,
): HttpResponse {
  const status = statusOfResult(result, type, answering.status);
  const isCacheable = isRead(method) && result.errors === undefined;
  return {
    status,
    headers: answering.headersOf(typeFor(status, type, answering.status), isCacheable),
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

/** Selects the status codes of responses. */
export type StatusCodes = "classic" | "draft-2026";

/** From the working draft; it is not registered with IANA. */
const PARTIAL_SUCCESS = 294;

/** Returns the status of a result. In `classic`, it is always 200 for `application/json`. */
function statusOfResult({ isRefused, errors }: ResultText, type: MediaType, codes: StatusCodes): number {
  if (codes === "classic") return isRefused && type === RESPONSE_JSON ? ERROR_STATUS.BAD_REQUEST : 200;
  if (!isRefused) return errors === undefined ? 200 : PARTIAL_SUCCESS;
  // The draft requires 400 for a document with a syntax error ("SHOULD"), and 422 for all other errors.
  const isUnparsable = errors?.[0]?.message.startsWith("Syntax Error") === true;
  return isUnparsable ? ERROR_STATUS.BAD_REQUEST : ERROR_STATUS.VALIDATION_FAILED;
}

/**
 * Returns the status of a rejected request. The draft distinguishes well-formed JSON with invalid parameters (422) from
 * malformed JSON.
 */
function statusOfRefusal({ code, issues }: BifocalError, codes: StatusCodes): number {
  const isWellFormed = code === "BAD_REQUEST" && issues.length > 0;
  return codes === "draft-2026" && isWellFormed ? ERROR_STATUS.VALIDATION_FAILED : ERROR_STATUS[code];
}

/**
 * Returns the media type of a response. In the draft, `application/json` is only for legacy clients and for successful
 * responses.
 */
function typeFor(status: number, type: MediaType, codes: StatusCodes): MediaType {
  return codes === "draft-2026" && status >= 300 ? RESPONSE_JSON : type;
}
