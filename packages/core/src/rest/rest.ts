import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import type { Model } from "../model/model.ts";
import type { Limits } from "../operation/limits.ts";
import type { JsonObject } from "../util/json.ts";
import { createDocuments, serveDocument } from "./documents.ts";
import { type Endpoint, type Method, type ResourceEndpoints, resourceEndpoints } from "./endpoints.ts";
import type { RestContext } from "./exchange.ts";
import { EVENT_STREAM } from "./handle-watch.ts";
import { negotiate } from "./negotiate.ts";
import type { ApiInfo, SecuritySchemes } from "./openapi/openapi-types.ts";
import { JSON_TYPE, MERGE_PATCH } from "./parse-body.ts";
import { respondNothing } from "./respond.ts";
import { serializeProblem } from "./serialize-problem.ts";

export interface Route {
  /** Parameters in braces: `/books/{id}`. */
  readonly path: string;
  readonly methods: readonly string[];
}

export interface RestOptions {
  readonly model: Model;
  readonly limits: Limits;
  readonly info: ApiInfo;
  readonly schemes: SecuritySchemes;
}

/** The resource style of an API. */
export interface Rest {
  readonly routes: readonly Route[];
  /** `null`: the path is none of this API. */
  readonly handle: (request: HttpRequest, context: RestContext) => Promise<HttpResponse | null>;
  readonly openapi: (prefix: string) => JsonObject;
}

interface Match {
  readonly endpoint: Endpoint;
  readonly ids: readonly string[];
}

export function createRest(options: RestOptions): Rest {
  const { model, limits } = options;
  const byPath = new Map<string, ResourceEndpoints>();
  for (const resource of model.resources.values()) byPath.set(resource.path, resourceEndpoints(resource));
  const endpoints = [...byPath.values()].flatMap(allEndpoints);
  const documents = createDocuments(options);

  async function answer(request: HttpRequest, context: RestContext): Promise<HttpResponse | null> {
    const segments = request.path.split("/").slice(1);
    const [first = ""] = segments;
    const document = documents.texts[request.path];
    if (document !== undefined) return serveDocument(request, document(request.prefix));
    const resource = byPath.get(first);
    if (resource === undefined) return null;
    const match = matchEndpoint(resource, segments, request.method);
    if (match === undefined) throw noRoute(resource);
    return dispatch(match, request, context);
  }

  async function dispatch({ endpoint, ids }: Match, request: HttpRequest, context: RestContext): Promise<HttpResponse> {
    const { method } = request;
    if (method === "OPTIONS") return respondNothing(optionHeaders(endpoint));
    const handler = endpoint.handlers[(method === "HEAD" ? "GET" : method) as Method];
    if (handler === undefined) throw methodNotAllowed(endpoint, method);
    const offered = method === "GET" && endpoint.watch !== undefined ? [JSON_TYPE, EVENT_STREAM] : [JSON_TYPE];
    const type = negotiate(request.headers["accept"], offered);
    if (type === undefined) {
      throw new BifocalError("NOT_ACCEPTABLE", `What is here can be had as ${offered.join(" or ")}.`);
    }
    const exchange = { request, context, target: { model, limits, resource: endpoint.resource } };
    const handle = type === EVENT_STREAM && endpoint.watch !== undefined ? endpoint.watch : handler;
    return handle(exchange, ...ids);
  }

  return {
    openapi: documents.openapi,
    routes: [
      ...Object.keys(documents.texts).map((path) => ({ path, methods: ["GET", "HEAD", "OPTIONS"] })),
      ...endpoints.map((endpoint) => ({ path: endpoint.path, methods: methodsOf(endpoint) })),
    ],
    async handle(request, context) {
      let response: HttpResponse | null;
      try {
        response = await answer(request, context);
      } catch (thrown) {
        if (!isBifocalError(thrown)) throw thrown;
        response = serializeProblem(thrown, request.prefix + request.path);
      }
      return response !== null && request.method === "HEAD" ? withoutBody(response) : response;
    },
  };
}

function allEndpoints(resource: ResourceEndpoints): readonly Endpoint[] {
  const { collection, item, collectionActions, beneath, links } = resource;
  return [collection, ...collectionActions.values(), item, ...beneath.values(), ...links.values()];
}

/** Ids stay percent-encoded: it is their own encoding as well. */
function matchEndpoint(resource: ResourceEndpoints, segments: readonly string[], method: string): Match | undefined {
  const [, id, segment = "", far] = segments;
  if (id === undefined) return { endpoint: resource.collection, ids: [] };
  if (segments.length === 2) {
    // An action of the collection is only ever posted to; a row may have its name as an id.
    const action = method === "POST" || method === "OPTIONS" ? resource.collectionActions.get(id) : undefined;
    return action === undefined ? { endpoint: resource.item, ids: [id] } : { endpoint: action, ids: [] };
  }
  const endpoint = segments.length === 3 ? resource.beneath.get(segment) : resource.links.get(segment);
  if (endpoint === undefined || segments.length > 4) return undefined;
  return { endpoint, ids: far === undefined ? [id] : [id, far] };
}

function methodsOf({ handlers }: Endpoint): readonly string[] {
  const methods = Object.keys(handlers).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...methods, "OPTIONS"];
}

function optionHeaders(endpoint: Endpoint): Record<string, string> {
  const headers: Record<string, string> = { Allow: methodsOf(endpoint).join(", ") };
  if (endpoint.handlers.POST !== undefined) headers["Accept-Post"] = JSON_TYPE;
  if (endpoint.handlers.PATCH !== undefined) headers["Accept-Patch"] = `${MERGE_PATCH}, ${JSON_TYPE}`;
  return headers;
}

function methodNotAllowed(endpoint: Endpoint, method: string): BifocalError {
  const { Allow = "", ...others } = optionHeaders(endpoint);
  const message = `There is no ${method} at ${endpoint.path}. There are: ${Allow}.`;
  return new BifocalError("METHOD_NOT_ALLOWED", message, { headers: { Allow, ...others } });
}

function noRoute({ item, beneath, links }: ResourceEndpoints): BifocalError {
  const paths = [item, ...beneath.values(), ...links.values()].map(({ path }) => path);
  return new BifocalError("NOT_FOUND", `There is nothing at this path. There are: ${paths.join(", ")}.`);
}

/** The same headers as for `GET` (RFC 9110 §9.3.2). */
function withoutBody(response: HttpResponse): HttpResponse {
  if (typeof response.body !== "string") return response;
  const length = { "Content-Length": String(Buffer.byteLength(response.body)) };
  return { ...response, headers: { ...response.headers, ...length }, body: null };
}
