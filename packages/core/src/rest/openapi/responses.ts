import { type ErrorCode, STATUS } from "../../errors/codes.ts";
import type { Json, JsonObject } from "../../util/json.ts";
import { ref } from "./openapi-types.ts";

const PROBLEMS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_REQUEST: "The request is malformed, or names what does not exist.",
  UNAUTHENTICATED: "There is no credential, or a bad one.",
  FORBIDDEN: "The caller may not do this.",
  NOT_FOUND: "There is no such row, or none that the caller may see.",
  NOT_ACCEPTABLE: "The answer cannot be had in a form that the client accepts.",
  CONFLICT: "Another row is in the way.",
  PRECONDITION_FAILED: "The row has changed since it was read.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body is of another type than is taken here.",
  VALIDATION_FAILED: "The input is well-formed, but not valid; every issue is listed.",
};

export const HEADERS: JsonObject = {
  ETag: { description: "The version of what is answered (RFC 9110 §8.8.3).", schema: { type: "string" } },
  Link: { description: "The first, previous and next page (RFC 8288).", schema: { type: "string" } },
  Location: { description: "Where the new row is.", schema: { type: "string" } },
  "Total-Count": { description: "All rows that match.", schema: { type: "integer" } },
};

/** A response object for every problem, by its code. */
export function problemResponses(): JsonObject {
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, description]) => [
      code,
      { description, content: { "application/problem+json": { schema: ref("schemas", "Problem") } } },
    ]),
  );
}

/** The problems that an operation may answer, by status. */
export function problems(...codes: readonly ErrorCode[]): JsonObject {
  return Object.fromEntries(codes.map((code) => [String(STATUS[code]), ref("responses", code)]));
}

export function answer(
  description: string,
  schema: JsonObject | undefined,
  headers: readonly string[] = [],
  types: readonly string[] = ["application/json"],
): JsonObject {
  const content: Record<string, Json> = {};
  if (schema !== undefined) for (const type of types) content[type] = { schema };
  return {
    description,
    ...(headers.length === 0
      ? {}
      : { headers: Object.fromEntries(headers.map((name) => [name, ref("headers", name)])) }),
    ...(schema === undefined ? {} : { content }),
  };
}

export function requestBody(schema: JsonObject, types: readonly string[] = ["application/json"]): JsonObject {
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}
