import { type ErrorCode, STATUS } from "../../errors/codes.ts";
import type { JsonObject } from "../../util/json.ts";
import type { Format } from "../formats/format.ts";
import { describeCode, PROBLEM_TYPE } from "../response/serialize-problem.ts";
import { ref } from "./openapi-types.ts";

const PROBLEMS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_REQUEST: "The request is malformed, or names what does not exist.",
  UNAUTHENTICATED: "There is no credential, or a bad one.",
  FORBIDDEN: "The caller may not do this.",
  NOT_FOUND: "There is no such row, or none that the caller may see.",
  NOT_ACCEPTABLE: "The answer cannot be had in a form that the client accepts.",
  CONFLICT: "Another row, or the state of this one, is in the way.",
  PRECONDITION_FAILED: "The row has changed since it was read, or there is no one row that a precondition could mean.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body is of another type than is taken here.",
  VALIDATION_FAILED: "The input is well-formed, but not valid; every issue is listed.",
  PRECONDITION_REQUIRED: "The request has to say which version of the row it means.",
};

const text: JsonObject = { type: "string" };

export const HEADERS: Readonly<Record<string, JsonObject>> = {
  "Accept-Patch": { description: "What a change is taken in (RFC 5789 §3.1).", schema: text },
  "Accept-Post": { description: "What a new row is taken in (LDP §7.1).", schema: text },
  "Cache-Control": { description: "Who may keep the answer, and how long (RFC 9111 §5.2).", schema: text },
  Deprecation: { description: "Since when this is deprecated (RFC 9745).", schema: text },
  ETag: { description: "The version of what is answered (RFC 9110 §8.8.3).", schema: text },
  "Idempotent-Replayed": { description: "The answer to the first request with this key.", schema: text },
  Link: { description: "The first, previous and next page, and what tells of a deprecation (RFC 8288).", schema: text },
  Location: { description: "Where the new row is.", schema: text },
  "Preference-Applied": { description: "The preferences that were followed (RFC 7240 §3).", schema: text },
  "Retry-After": { description: "Seconds after which to try again (RFC 9110 §10.2.3).", schema: { type: "integer" } },
  Sunset: { description: "When this will be gone (RFC 8594).", schema: text },
  "Total-Count": {
    description: "All rows that match, where the request asks to count them.",
    schema: { type: "integer" },
  },
  Vary: { description: "What the answer depends on (RFC 9110 §12.5.5).", schema: text },
  "WWW-Authenticate": { description: "How to be known (RFC 9110 §11.6.1).", schema: text },
};

const PROBLEM_HEADERS: Readonly<Record<string, readonly string[]>> = {
  UNAUTHENTICATED: ["WWW-Authenticate"],
  FORBIDDEN: ["WWW-Authenticate"],
  CONFLICT: ["Retry-After"],
  UNSUPPORTED_MEDIA_TYPE: ["Accept-Post", "Accept-Patch"],
  Problem: ["Retry-After"],
};

function headersOf(code: string, formats: readonly Format[]): JsonObject {
  const ofFormats = formats.flatMap(({ problem }) => Object.keys(problem?.headers ?? {}));
  return described(["Cache-Control", ...(PROBLEM_HEADERS[code] ?? []), ...ofFormats]);
}

/** Every problem by its code, and `Problem` for any other. */
export function problemResponses(codes: ReadonlySet<string>, formats: readonly Format[]): JsonObject {
  const others = formats.flatMap(({ problem }): [string, JsonObject][] => {
    const type = problem?.contentType.split(";", 1)[0];
    if (type === undefined) return [];
    return [[type, { schema: { type: type.endsWith("+json") ? "object" : "string" } }]];
  });
  const schema = ref("schemas", "Problem");
  const contentOf = (code: ErrorCode, detail: string): JsonObject => {
    const { type, title, status } = describeCode(code);
    return {
      [PROBLEM_TYPE]: { schema, example: { type, title, status, detail, code } },
      ...Object.fromEntries(others),
    };
  };
  return {
    ...Object.fromEntries(
      Object.entries(PROBLEMS).flatMap(([code, description]) =>
        codes.has(code)
          ? [
              [
                code,
                { description, headers: headersOf(code, formats), content: contentOf(code as ErrorCode, description) },
              ],
            ]
          : [],
      ),
    ),
    Problem: {
      description: "Anything else that went wrong.",
      headers: headersOf("Problem", formats),
      content: contentOf(
        "INTERNAL",
        "Something went wrong on the server. If you contact support, include the request id.",
      ),
    },
  };
}

/** The problems that an operation may answer, by status. */
export function problems(...codes: readonly ErrorCode[]): JsonObject {
  const byStatus = [...new Set(codes)].map((code): [string, JsonObject] => [
    String(STATUS[code]),
    ref("responses", code),
  ]);
  return { ...Object.fromEntries(byStatus), default: ref("responses", "Problem") };
}

/** One that only some of the formats have. */
const OF_FORMAT: JsonObject = { description: "Of a format that has it.", schema: text };

export function answer(
  description: string,
  content: JsonObject | undefined,
  headers: readonly string[] = [],
): JsonObject {
  const named = described(["Cache-Control", "Vary", ...headers]);
  return { description, headers: named, ...(content === undefined ? {} : { content }) };
}

function described(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, name in HEADERS ? ref("headers", name) : OF_FORMAT]));
}

/** Has those of the headers of the 200 that are not about its content. */
export function notModified(...headers: readonly string[]): JsonObject {
  return answer("The client has this already.", undefined, headers);
}
