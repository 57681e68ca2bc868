import type { BifocalError } from "../../errors/bifocal-error.ts";
import type { Principal } from "../../definition/principal.ts";
import { type ErrorCode, ERROR_STATUS } from "../../errors/codes.ts";
import { type HttpRequest, type HttpResponse, sameHostPath } from "../../message/message.ts";
import type { Model } from "../../model/model.ts";
import { mediaTypeOf } from "../../message/json-body.ts";
import type { ApiView, Problem, ProblemPlace, RequestMistake, RequestTexts } from "../formats/format.ts";
import { negotiate } from "../request/negotiate.ts";

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
  URI_TOO_LONG: "URI too long",
  UNSUPPORTED_MEDIA_TYPE: "Unsupported media type",
  VALIDATION_FAILED: "Validation failed",
  PRECONDITION_REQUIRED: "Precondition required",
  RATE_LIMITED: "Rate limited",
  HEADERS_TOO_LARGE: "Headers too large",
  INTERNAL: "Internal error",
  UNAVAILABLE: "Unavailable",
  TIMEOUT: "Timeout",
};

export const PROBLEM_TYPE = "application/problem+json";

/** Converts an error to a problem response (RFC 9457). `instance` is the path of the request. */
export function serializeProblem(error: BifocalError, instance?: string): HttpResponse {
  return respondProblem(error, PROBLEM_TYPE, JSON.stringify(toProblem(error, instance)));
}

interface ProblemContext {
  readonly api: ApiView;
  readonly model: Model;
  /** Returns the resource of the request's body, if the path identifies it. */
  readonly bodyOf?: () => ProblemPlace["body"];
  /** The request in each style. */
  readonly texts?: RequestTexts;
  readonly mistakes?: readonly RequestMistake[];
  readonly principal?: Principal | null;
}

/** Like `serializeProblem`, in the client's preferred format among those that support problems. */
export function negotiateProblem(
  error: BifocalError,
  { headers, method, prefix, path, query }: HttpRequest,
  { api, model, bodyOf, texts, mistakes, principal }: ProblemContext,
): HttpResponse {
  const { accept } = headers;
  const instance = prefix + path;
  if (accept === undefined || accept === "*/*") return serializeProblem(error, instance);
  const offered = api.formats.filter(({ problem }) => problem !== undefined);
  const wanted = negotiate(
    accept,
    [PROBLEM_TYPE, "application/json", ...offered.map(({ mediaType }) => mediaType)],
    offered,
  );
  const problem = offered.find(({ mediaType }) => mediaType === wanted)?.problem;
  if (problem === undefined) return serializeProblem(error, instance);
  const body = mediaTypeOf(headers["content-type"]) === wanted ? bodyOf?.() : undefined;
  const retryAfter = error.headers["Retry-After"];
  const place: ProblemPlace = {
    api,
    model,
    prefix,
    request: {
      method,
      path,
      query,
      ...(texts === undefined ? {} : { texts }),
      ...(mistakes === undefined ? {} : { mistakes }),
    },
    ...(principal === undefined ? {} : { principal }),
    ...(retryAfter === undefined ? {} : { retryAfter: Number(retryAfter) }),
    ...(body === undefined ? {} : { body }),
  };
  const response = respondProblem(error, problem.contentType, problem.write(toProblem(error, instance), place));
  return { ...response, headers: { ...response.headers, ...problem.headers } };
}

/** Returns the members of a problem that depend only on its code. */
export function describeCode(code: ErrorCode): Pick<Problem, "type" | "title" | "status"> {
  const type = `urn:bifocal:problem:${code.toLowerCase().replaceAll("_", "-")}`;
  return { type, title: TITLES[code], status: ERROR_STATUS[code] };
}

export function toProblem(error: BifocalError, instance: string | undefined): Problem {
  const { code, message, issues, requestId } = error;
  return {
    ...describeCode(code),
    detail: message,
    instance: instance === undefined ? undefined : sameHostPath(instance),
    code,
    errors: issues.length === 0 ? undefined : issues,
    requestId,
  };
}

/** Problems are never stored, so they need no `Vary`. */
function respondProblem(error: BifocalError, contentType: string, body: string): HttpResponse {
  const headers = {
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...error.headers,
  };
  return { status: ERROR_STATUS[error.code], headers, body };
}
