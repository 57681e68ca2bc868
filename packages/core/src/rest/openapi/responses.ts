import { type ErrorCode, ERROR_STATUS } from "../../errors/codes.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import type { Format } from "../formats/format.ts";
import { describeCode, PROBLEM_TYPE } from "../response/serialize-problem.ts";
import { type DocumentedResource, type OpenApiFormats, ref } from "./openapi-types.ts";

const PROBLEMS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_REQUEST: "The request is malformed, or uses an unknown name.",
  UNAUTHENTICATED: "The credential is missing or invalid.",
  FORBIDDEN: "The caller is not allowed to do this.",
  NOT_FOUND: "The row doesn't exist, or the caller is not allowed to read it.",
  NOT_ACCEPTABLE: "No requested format is available.",
  CONFLICT: "The request conflicts with another row, or with the state of this one.",
  PRECONDITION_FAILED: "The row has changed since it was read, or the precondition doesn't apply.",
  PAYLOAD_TOO_LARGE: "The body is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The media type of the body is not supported.",
  VALIDATION_FAILED: "The input is not valid. Every issue is listed.",
  PRECONDITION_REQUIRED: "A precondition such as If-Match is required.",
};

const text: JsonObject = { type: "string" };

export const HEADERS: Readonly<Record<string, JsonObject>> = {
  "Accept-Patch": { description: "Supported media types for changes (RFC 5789 §3.1).", schema: text },
  "Accept-Post": { description: "Supported media types for new rows (LDP §7.1).", schema: text },
  "Cache-Control": {
    description: "The caches that may store the response, and for how long (RFC 9111 §5.2).",
    schema: text,
  },
  Deprecation: { description: "Since when this is deprecated (RFC 9745).", schema: text },
  ETag: { description: "The version of the representation (RFC 9110 §8.8.3).", schema: text },
  "Idempotent-Replayed": {
    description: "Whether this is the stored response to an earlier request with the same key.",
    schema: text,
  },
  Link: {
    description: "The first, previous and next page, and information about a deprecation (RFC 8288).",
    schema: text,
  },
  Location: { description: "The URL of the new row.", schema: text },
  "Preference-Applied": { description: "The preferences that were applied (RFC 7240 §3).", schema: text },
  "Retry-After": {
    description: "Seconds to wait before the next attempt (RFC 9110 §10.2.3).",
    schema: { type: "integer" },
  },
  Sunset: { description: "When this will be removed (RFC 8594).", schema: text },
  "Total-Count": {
    description:
      "The total number of matching rows, if the request asks for it. A structured field (RFC 9651): `10001;exact=?0` means 10,001 rows or more.",
    schema: { type: "string", pattern: "^\\d+(;exact=\\?0)?$" },
  },
  Vary: { description: "The request headers that the response depends on (RFC 9110 §12.5.5).", schema: text },
  "WWW-Authenticate": { description: "How to authenticate (RFC 9110 §11.6.1).", schema: text },
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

/** Describes the response of each error code, and `Problem` for any other. */
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
      description: "Any other error.",
      headers: headersOf("Problem", formats),
      content: contentOf(
        "INTERNAL",
        "Something went wrong on the server. If you contact support, include the request id.",
      ),
    },
  };
}

/** Returns the error responses of an operation, by status. */
export function problems(...codes: readonly ErrorCode[]): JsonObject {
  const byStatus = [...new Set(codes)].map((code): [string, JsonObject] => [
    String(ERROR_STATUS[code]),
    ref("responses", code),
  ]);
  return { ...Object.fromEntries(byStatus), default: ref("responses", "Problem") };
}

/** Describes the row after a change. */
export function currentRow({ resource, described: what }: Pick<DocumentedResource, "resource" | "described">): string {
  const { name, access } = resource;
  const isAlwaysRead = what === "all" || access.read.kind === "allow";
  return isAlwaysRead
    ? `The current ${name}.`
    : `The current ${name}. If the caller can't read it any longer, the response is a 204 without content.`;
}

/** Describes the response without a body that `Prefer: return=minimal` causes, if the document describes `Prefer`. */
export function minimal(
  { described: what }: { readonly described: OpenApiFormats },
  done: string,
  headers: readonly string[],
): JsonObject {
  if (what === "json") return {};
  return { "204": answer(`${done}, without a body because of \`Prefer: return=minimal\`.`, undefined, headers) };
}

/** A header that only some formats set. */
const OF_FORMAT: JsonObject = { description: "Set by some formats.", schema: text };

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

/** Describes a 304 response. It has the headers of the 200 response, except those about its content. */
export function describeNotModified(...headers: readonly string[]): JsonObject {
  return answer("The client already has this version.", undefined, headers);
}

/** Returns the errors of a failed and, if the resource requires one, of a missing precondition. */
export function preconditionErrors({ requirePrecondition }: ResourceModel): readonly ErrorCode[] {
  return requirePrecondition ? ["PRECONDITION_FAILED", "PRECONDITION_REQUIRED"] : ["PRECONDITION_FAILED"];
}
