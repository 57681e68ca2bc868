import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../http/message.ts";
import type { Limits } from "../../operation/limits.ts";
import { BodyMistake, isTooDeep, mediaTypeOf, parseJsonBody } from "../../util/json-body.ts";

/** What a request asks (GraphQL over HTTP, "Request Parameters"). */
export interface Parameters {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
}

/** Reads the parameters of a GET or POST request; throws BAD_REQUEST or UNSUPPORTED_MEDIA_TYPE. */
export async function parseParameters(request: HttpRequest, limits: Limits): Promise<Parameters> {
  return checkParameters(request.method === "GET" ? fromQuery(request.query) : await fromBody(request, limits), limits);
}

/** Checks the types of parameters, wherever they came from. */
export function checkParameters(given: unknown, limits: Limits): Parameters {
  if (!isObject(given)) throw badRequest("The body is to be a JSON object.");
  const { query, operationName, variables, extensions } = given;
  if (query === undefined || query === null) throw badRequest("'query' is missing.");
  if (typeof query !== "string") throw badRequest("'query' is to be a string.");
  if (!isAbsent(operationName) && typeof operationName !== "string") {
    throw badRequest("'operationName' is to be a string.");
  }
  if (!isAbsent(variables) && !isObject(variables)) throw badRequest("'variables' is to be an object.");
  if (!isAbsent(extensions) && !isObject(extensions)) throw badRequest("'extensions' is to be an object.");
  if (isTooDeep(variables, limits.jsonDepth)) {
    throw badRequest(`'variables' may nest ${limits.jsonDepth} levels deep.`);
  }
  return {
    query,
    operationName: operationName ?? undefined,
    variables: variables ?? undefined,
    extensions: extensions ?? undefined,
  };
}

function fromQuery(query: string): Record<string, unknown> {
  const search = new URLSearchParams(query);
  return {
    query: search.get("query"),
    operationName: search.get("operationName"),
    variables: parseParameter(search, "variables"),
    extensions: parseParameter(search, "extensions"),
  };
}

function parseParameter(search: URLSearchParams, name: string): unknown {
  const text = search.get(name);
  if (text === null || text === "") return undefined;
  return parseJson(text, `'${name}' is not JSON.`);
}

async function fromBody(request: HttpRequest, limits: Limits): Promise<unknown> {
  // Only `application/json`: a page of another origin cannot send it without asking first, so it cannot forge a request
  // that carries the browser's credentials.
  if (mediaTypeOf(request.headers["content-type"]) !== "application/json") {
    throw new BifocalError("UNSUPPORTED_MEDIA_TYPE", "A GraphQL request is sent as application/json, in UTF-8.", {
      headers: { "Accept-Post": "application/json" },
    });
  }
  if (request.parsedBody !== undefined) return request.parsedBody;
  try {
    return parseJsonBody(await request.body(limits.bodyBytes), limits.jsonDepth);
  } catch (thrown) {
    throw thrown instanceof BodyMistake ? badRequest(thrown.message) : thrown;
  }
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
