import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import type { Asset, HttpRequest, HttpResponse } from "../http/message.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { Limits } from "../operation/limits.ts";
import type { JsonObject } from "../util/json.ts";
import { type MaybePromise, thenNow } from "../util/maybe-promise.ts";
import { refuseConditions } from "./conditional.ts";
import { isDeprecating, withDeprecation } from "./deprecation.ts";
import { createAssets } from "./assets.ts";
import { createDocuments, serveDocument } from "./documents.ts";
import { type Endpoint, type Method, type ResourceEndpoints, resourceEndpoints } from "./endpoints.ts";
import type { Exchange, RestContext } from "./exchange.ts";
import type { Format } from "./formats/format.ts";
import { EVENT_STREAM } from "../util/event-stream.ts";
import { NOSNIFF } from "./headers.ts";
import { allEndpoints, type Match, matchEndpoint, methodNotAllowed, noRoute, splitPath } from "./match-endpoint.ts";
import type { MethodHandler } from "./method-handler.ts";
import { negotiate } from "./negotiate.ts";
import { createOffers } from "./offers.ts";
import type { ApiInfo, OpenApiVersion, SecuritySchemes } from "./openapi/openapi-types.ts";
import { JSON_TYPE } from "./parse-body.ts";
import { parsePrefer, variedByPrefer } from "./prefer.ts";
import { type Idempotency, withIdempotency } from "./idempotency/with-idempotency.ts";
import { optionHeaders, methodsOf } from "./options.ts";
import type { ReferencePage } from "./reference.ts";
import { negotiateProblem } from "./serialize-problem.ts";
import type { Target } from "./target.ts";
import { createVary } from "./vary.ts";

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
  /** Documents that authentication is described by, by path. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  readonly formats: readonly Format[];
  /** The reference page at `/docs`. */
  readonly docs: ReferencePage | undefined;
  /** Files of pages that stand elsewhere, by name. */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly idempotency: Omit<Idempotency, "isReceipted"> & {
    /** Whether the store of a resource keeps receipts. */
    readonly keepsReceipts: (resource: string) => boolean;
  };
  /** Of the document that is served. */
  readonly openapiVersion: OpenApiVersion;
  /** The headers that say who calls. */
  readonly credentials: readonly string[];
}

/** The resource style of an API. */
export interface Rest {
  readonly routes: readonly Route[];
  /** `null`: the path is none of this API. */
  readonly handle: (request: HttpRequest, context: RestContext) => MaybePromise<HttpResponse | null>;
  /** The methods of a path; none where it leads nowhere. */
  readonly methodsAt: (path: string) => readonly string[];
  /** An error in the format that the client wants. */
  readonly problem: (error: BifocalError, request: HttpRequest) => HttpResponse;
  readonly openapi: (prefix: string, version?: OpenApiVersion) => JsonObject;
}

export function createRest(options: RestOptions): Rest {
  const { model, limits, formats } = options;
  const byPath = new Map<string, ResourceEndpoints>();
  for (const resource of model.resources.values())
    byPath.set(resource.path, resourceEndpoints(model, resource, formats));
  const endpoints = [...byPath.values()].flatMap(allEndpoints);
  const documents = createDocuments({ ...options, hasDocs: options.docs !== undefined });
  const assets = createAssets(options);
  const offers = createOffers(formats);
  const vary = createVary(options.credentials);
  const { title, version, description } = options.info;
  const api = {
    title,
    version,
    ...(description === undefined ? {} : { description }),
    schemes: options.schemes,
    formats,
  };
  const targets = new Map<ResourceModel, Target>();
  for (const resource of model.resources.values())
    targets.set(resource, { model, limits, formats, api, vary, resource });
  const byType = new Map(formats.map((format) => [format.mediaType, format]));

  function answer(request: HttpRequest, context: RestContext): MaybePromise<HttpResponse | null> {
    const segments = splitPath(request.path);
    const [, first = ""] = segments;
    const resource = byPath.get(first);
    if (resource === undefined || first === "docs") {
      const other = assets.serve(request) ?? answerDocument(request);
      if (other !== undefined) {
        noteRoute(context, request.path);
        return other;
      }
      if (resource === undefined) return null;
    }
    const match = matchEndpoint(resource, segments, request.method);
    if (match === undefined) throw noRoute(resource);
    return dispatch(match, request, context);
  }

  function answerDocument(request: HttpRequest): HttpResponse | undefined {
    const text = documents.texts.get(request.path)?.(request.prefix);
    return text === undefined
      ? undefined
      : serveDocument(request, text, request.path === "/" ? { api, model } : undefined);
  }

  function dispatch({ endpoint, ids }: Match, request: HttpRequest, context: RestContext): MaybePromise<HttpResponse> {
    noteRoute(context, endpoint.path);
    const target = targets.get(endpoint.resource) as Target;
    if (request.method === "OPTIONS") {
      const headers = { ...optionHeaders(endpoint, target), "Cache-Control": "no-store", ...NOSNIFF };
      return { status: 204, headers, body: null };
    }
    const method = (request.method === "HEAD" ? "GET" : request.method) as Method;
    const handler = endpoint.methods[method];
    if (handler === undefined) throw methodNotAllowed(endpoint, target, request.method);
    const offered = offers(endpoint, method);
    const type = negotiate(request.headers["accept"], offered);
    if (type === undefined) {
      throw new BifocalError("NOT_ACCEPTABLE", `What is here can be had as ${offered.join(" or ")}.`);
    }
    const preferences = parsePrefer(request);
    const format = type === JSON_TYPE ? undefined : byType.get(type);
    const exchange: Exchange = { request, context, target, format, preferences, notes: {} };
    const handle = type === EVENT_STREAM && endpoint.watch !== undefined ? endpoint.watch : handler.handle;
    const isUnsafe = method !== "GET" && method !== "QUERY";
    if (isUnsafe && handler.isConditional !== true) refuseConditions(request);
    const response =
      isUnsafe && request.headers["idempotency-key"] !== undefined
        ? withIdempotency(idempotencyOf(endpoint, handler), exchange, (keyed) => handle(keyed, ...ids))
        : handle(exchange, ...ids);
    const told = preferences.handling === "lenient" ? thenNow(response, variedByPrefer) : response;
    if (!isDeprecating(endpoint)) return told;
    return thenNow(told, (answered) => withDeprecation(answered, exchange, endpoint));
  }

  function idempotencyOf({ subject }: Endpoint, { takesReceipt }: MethodHandler): Idempotency {
    const { store, ttl, keepsReceipts } = options.idempotency;
    return { store, ttl, isReceipted: takesReceipt === true && keepsReceipts(subject.name) };
  }

  return {
    openapi: documents.openapi,
    routes: [
      ...[...documents.texts.keys(), ...assets.paths].map((path) => ({
        path,
        methods: ["GET", "HEAD", "OPTIONS"],
      })),
      ...endpoints.map((endpoint) => ({ path: endpoint.path, methods: methodsOf(endpoint) })),
    ],
    methodsAt(path) {
      if (documents.texts.has(path) || assets.paths.includes(path)) return ["GET", "HEAD", "OPTIONS"];
      const segments = splitPath(path);
      const resource = byPath.get(segments[1] ?? "");
      const found = (["OPTIONS", "GET"] as const).flatMap((method) => {
        const match = resource && matchEndpoint(resource, segments, method);
        return match === undefined ? [] : methodsOf(match.endpoint);
      });
      return [...new Set(found)];
    },
    problem: (error, request) => negotiateProblem(error, request, { api, model }),
    handle(request, context) {
      const refuse = (thrown: unknown): HttpResponse => {
        if (!isBifocalError(thrown)) throw thrown;
        return negotiateProblem(thrown, request, { api, model });
      };
      let response: MaybePromise<HttpResponse | null>;
      try {
        response = answer(request, context);
        if (response instanceof Promise) response = response.catch(refuse);
      } catch (thrown) {
        response = refuse(thrown);
      }
      return request.method === "HEAD" ? thenNow(response, (whole) => whole && withoutBody(whole)) : response;
    },
  };
}

function noteRoute({ activity }: RestContext, path: string): void {
  if (activity !== undefined) activity.route = path;
}

/** The same headers as for `GET` (RFC 9110 §9.3.2). */
function withoutBody(response: HttpResponse): HttpResponse {
  const { body } = response;
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return response;
  const length = { "Content-Length": String(Buffer.byteLength(body)) };
  return { ...response, headers: { ...response.headers, ...length }, body: null };
}
