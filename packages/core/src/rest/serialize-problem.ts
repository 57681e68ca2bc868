import type { BifocalError } from "../errors/bifocal-error.ts";
import { type ErrorCode, STATUS } from "../errors/codes.ts";
import type { HttpResponse } from "../http/message.ts";
import { VARY } from "./vary.ts";

const TITLES: Readonly<Record<ErrorCode, string>> = {
  BAD_REQUEST: "Bad request",
  UNAUTHENTICATED: "Unauthenticated",
  FORBIDDEN: "Forbidden",
  NOT_FOUND: "Not found",
  METHOD_NOT_ALLOWED: "Method not allowed",
  NOT_ACCEPTABLE: "Not acceptable",
  CONFLICT: "Conflict",
  PRECONDITION_FAILED: "Precondition failed",
  PAYLOAD_TOO_LARGE: "Payload too large",
  UNSUPPORTED_MEDIA_TYPE: "Unsupported media type",
  VALIDATION_FAILED: "Validation failed",
  PRECONDITION_REQUIRED: "Precondition required",
  RATE_LIMITED: "Rate limited",
  INTERNAL: "Internal error",
  UNAVAILABLE: "Unavailable",
  TIMEOUT: "Timeout",
};

const PROBLEM_TYPE = "application/problem+json";

/** An error as a problem (RFC 9457); `instance` is the path that was asked for. */
export function serializeProblem(error: BifocalError, instance?: string): HttpResponse {
  const { code, message, issues, requestId, headers } = error;
  const body = JSON.stringify({
    type: `urn:bifocal:problem:${code.toLowerCase().replaceAll("_", "-")}`,
    title: TITLES[code],
    status: STATUS[code],
    detail: message,
    instance,
    code,
    errors: issues.length === 0 ? undefined : issues,
    requestId,
  });
  return {
    status: STATUS[code],
    headers: { "Content-Type": PROBLEM_TYPE, "Cache-Control": "no-store", Vary: VARY, ...headers },
    body,
  };
}
