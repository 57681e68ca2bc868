import { isRead } from "./is-read.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";
import type { Limits } from "../../limits/limits.ts";
import { refuse } from "../../errors/refuse.ts";
import { offersWebSocket } from "../../message/offers-web-socket.ts";
import { bodyWithin, BodyMistake, mediaTypeOf } from "../../message/json-body.ts";
import { jsonExcess } from "../../message/json-excess.ts";
import { mapMaybePromise, type MaybePromise } from "../../util/maybe-promise.ts";
import type { FindDocument } from "../persisted/persisted-documents.ts";
import type { ParseRequestBody } from "./parse-request-body.ts";

/** The parameters of a request (GraphQL over HTTP, "Request Parameters"). */
export interface Parameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
}

export interface ParameterRules {
  readonly limits: Limits;
  readonly findDocument: FindDocument;
}

export interface BodyRules {
  readonly limits: Limits;
  readonly parseBody: ParseRequestBody;
}

/** Reads the parameters of a request without checking their types. Throws BAD_REQUEST or UNSUPPORTED_MEDIA_TYPE. */
export function readRequest(request: HttpRequest, rules: BodyRules): MaybePromise<unknown> {
  if (!isRead(request.method)) return fromBody(request, rules);
  const given = fromQuery(request.query);
  const isEmpty = given.query === null && given.documentId === null && given.extensions === undefined;
  if (isEmpty && offersWebSocket(request)) {
    throw badRequest(
      "This server doesn't accept WebSockets here. Subscribe over server-sent events, or accept WebSockets with `attach(server)` on Node or the option `sockets` of fetchHandler().",
    );
  }
  return given;
}

/** Checks the types of parameters from any source, and finds the document that they name by id. */
export function checkParameters(given: unknown, { limits, findDocument }: ParameterRules): Parameters {
  if (Array.isArray(given)) refuse([], "invalid_type", "Batches are not supported here. Send one request at a time.");
  if (!isObject(given)) refuse([], "invalid_type", "The body must be a JSON object.");
  const { query: text, operationName, variables, extensions } = given;
  if (!isAbsent(text) && typeof text !== "string") refuse(["query"], "invalid_type", "'query' must be a string.");
  if (!isAbsent(operationName) && typeof operationName !== "string") {
    refuse(["operationName"], "invalid_type", "'operationName' must be a string.");
  }
  if (!isAbsent(variables) && !isObject(variables)) {
    refuse(["variables"], "invalid_type", "'variables' must be an object.");
  }
  if (!isAbsent(extensions) && !isObject(extensions)) {
    refuse(["extensions"], "invalid_type", "'extensions' must be an object.");
  }
  refuseExcess(variables, limits);
  if (text !== null && text !== undefined && text.length > limits.graphql.documentLength) {
    refuse(
      ["query"],
      "too_long",
      `The document is too long. The maximum is ${limits.graphql.documentLength} characters.`,
    );
  }
  const id = documentIdOf(given["documentId"], extensions ?? undefined);
  // In `graphql-transport-ws`, `query` is required, so clients with persisted documents send an empty string.
  const query = findDocument(text === null || (text === "" && id !== undefined) ? undefined : text, id);
  if (query === undefined) refuse(["query"], "required", "'query' is required.");
  return {
    query,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
    extensions: extensions ?? undefined,
  };
}

function refuseExcess(
  variables: unknown,
  { http: { jsonDepth, jsonKeys }, graphql: { variableValues } }: Limits,
): void {
  switch (jsonExcess(variables, { depth: jsonDepth, keys: jsonKeys, values: variableValues })) {
    case undefined:
      return;
    case "depth":
      return refuse(["variables"], "too_deep", `'variables' can be nested at most ${jsonDepth} levels deep.`);
    case "keys":
      return refuse(["variables"], "too_many", `An object in 'variables' can have at most ${jsonKeys} members.`);
    case "values":
      return refuse(["variables"], "too_many", `'variables' can have at most ${variableValues} values.`);
  }
}

function fromQuery(query: string) {
  const search = new URLSearchParams(query);
  return {
    query: search.get("query"),
    documentId: search.get("documentId"),
    operationName: search.get("operationName"),
    variables: parseParameter(search, "variables"),
    extensions: parseParameter(search, "extensions"),
  };
}

function parseParameter(search: URLSearchParams, name: string): unknown {
  const text = search.get(name);
  if (text === null || text === "") return undefined;
  return parseJson(text, `'${name}' is not valid JSON.`);
}

function fromBody(request: HttpRequest, { limits, parseBody }: BodyRules): MaybePromise<unknown> {
  // Only `application/json`: a page of another origin needs a preflight to send it, and so cannot forge a request that
  // carries the browser's credentials.
  if (mediaTypeOf(request.headers["content-type"]) !== "application/json") {
    throw new BifocalError(
      "UNSUPPORTED_MEDIA_TYPE",
      "The body must be application/json in UTF-8. Set 'Content-Type' accordingly.",
      {
        headers: { "Accept-Post": "application/json" },
      },
    );
  }
  if (request.parsedBody !== undefined) return request.parsedBody;
  return mapMaybePromise(bodyWithin(request, Math.min(limits.http.bodyBytes, limits.graphql.bodyBytes)), (bytes) => {
    try {
      return parseBody(bytes);
    } catch (thrown) {
      throw thrown instanceof BodyMistake ? badRequest(thrown.message) : thrown;
    }
  });
}

function parseJson(text: string, problem: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest(problem);
  }
}

function badRequest(message: string): BifocalError {
  return new BifocalError("BAD_REQUEST", message);
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const HASH = /^[0-9a-f]{64}$/;
const ID_LENGTH = 256;

/**
 * Returns the id by which a request names a document: `documentId` (GraphQL over HTTP, Appendix A), or `sha256:…` for
 * the hash of Apollo's `extensions.persistedQuery`. Returns undefined for a request without an id. Throws BAD_REQUEST.
 */
function documentIdOf(
  documentId: unknown,
  extensions: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const hash = apolloHash(extensions?.["persistedQuery"]);
  if (documentId === undefined || documentId === null) return hash;
  if (typeof documentId !== "string" || documentId === "" || documentId.length > ID_LENGTH) {
    refuse(["documentId"], "invalid_type", `'documentId' must be a string of at most ${ID_LENGTH} characters.`);
  }
  if (hash !== undefined && hash !== documentId) {
    refuse(
      ["documentId"],
      "contradiction",
      "'documentId' and 'extensions.persistedQuery' refer to different documents. Send only one of them.",
    );
  }
  return documentId;
}

function apolloHash(persistedQuery: unknown): string | undefined {
  if (persistedQuery === undefined || persistedQuery === null) return undefined;
  const path = ["extensions", "persistedQuery"];
  if (typeof persistedQuery !== "object") refuse(path, "invalid_type", "'persistedQuery' must be an object.");
  const { version, sha256Hash } = persistedQuery as { readonly version?: unknown; readonly sha256Hash?: unknown };
  if (version !== 1) refuse([...path, "version"], "invalid_value", "Only version 1 of persisted queries is supported.");
  if (typeof sha256Hash !== "string" || !HASH.test(sha256Hash)) {
    refuse([...path, "sha256Hash"], "invalid_format", "'sha256Hash' must be 64 lowercase hexadecimal digits.");
  }
  return `sha256:${sha256Hash}`;
}
