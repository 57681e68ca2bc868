import { isBifocalError } from "../errors/bifocal-error.ts";
import { ERROR_STATUS } from "../errors/codes.ts";
import type { Asset, HttpRequest, HttpResponse, WebPage } from "../message/message.ts";
import type { Protocol, ProtocolContext, Route } from "../message/protocol.ts";
import { withoutBody } from "../message/without-body.ts";
import type { Model, ResourceModel } from "../model/model.ts";
import type { Limits } from "../limits/limits.ts";
import type { JsonObject } from "../util/json.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import { createAssets } from "./routes/assets.ts";
import {
  createDispatch,
  noteRoute,
  allEndpoints,
  bodyOf,
  matchEndpoint,
  noRoute,
  splitBelow,
  splitPath,
} from "./routes/dispatch.ts";
import { type ConsolePage, createConsole } from "./routes/console.ts";
import { createApiDocuments, serveDocument } from "./routes/create-api-documents.ts";
import { supportedOperations } from "../model/offered.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import type { OperationsOf } from "./routes/endpoint.ts";
import { type ResourceEndpoints, resourceEndpoints } from "./routes/endpoints.ts";
import type { Format } from "./formats/format.ts";
import type {
  ApiInfo,
  OpenApiFormats,
  OpenApiVersion,
  SecuritySchemes,
  WriteSamples,
} from "./openapi/openapi-types.ts";
import type { IdempotencySettings } from "../lowering/idempotency/run-with-key.ts";
import type { PrintRequest } from "./request/print-request.ts";
import { methodsOf } from "./routes/offers.ts";
import {
  serveTranslation,
  TRANSLATION_METHODS,
  TRANSLATION_PATH,
  type TranslateBody,
} from "./routes/translation-route.ts";
import type { ReferencePage } from "./routes/reference.ts";
import { createSchemaPages, type SchemaPages } from "./routes/schema-pages.ts";
import { printRejected } from "./request/print-rejected.ts";
import { negotiateProblem } from "./response/serialize-problem.ts";

export interface RestOptions {
  readonly model: Model;
  readonly limits: Limits;
  readonly info: ApiInfo;
  readonly schemes: SecuritySchemes;
  /** Documents that describe authentication, by path. */
  readonly documents: Readonly<Record<string, () => JsonObject>>;
  readonly formats: readonly Format[];
  /** The reference page at `/docs`. */
  readonly docs: ReferencePage | undefined;
  /** Paths of the pages for developers, by title. */
  readonly developerPages: Readonly<Record<string, string>>;
  /** Files of other pages, by name. */
  readonly assets: Readonly<Record<string, Asset>>;
  readonly idempotency: IdempotencySettings;
  /** Returns the writes that the store of a resource supports. Methods for others are not available. */
  readonly writesOf: (resource: ResourceModel) => StoreWrites;
  /** The version of the served document. */
  readonly openapiVersion: OpenApiVersion;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
  readonly printRequest: PrintRequest;
  readonly writeSamples: WriteSamples;
  /** Undefined if the API doesn't translate requests of developers. */
  readonly translateBody: TranslateBody | undefined;
  /** The page at `/console`. */
  readonly console: ConsolePage | undefined;
  /** Whether translations can contain access rules and SQL. */
  readonly explains: boolean;
  /** The pages of the schema. Undefined if the API doesn't show its schema. */
  readonly schema: SchemaPages | undefined;
}

/** The REST part of an API. */
export interface Rest extends Protocol {
  readonly openapi: (prefix: string, version?: OpenApiVersion, described?: OpenApiFormats) => JsonObject;
  /** The page at `/graphql` by the mount path. Undefined if no format has it. */
  readonly endpointPage: WebPage<string> | undefined;
}

/** Status codes of requests that were rejected after parsing. */
const MALFORMED: ReadonlySet<number> = new Set([
  ERROR_STATUS.BAD_REQUEST,
  ERROR_STATUS.PAYLOAD_TOO_LARGE,
  ERROR_STATUS.VALIDATION_FAILED,
]);

/** Charges for a malformed request, and omits the body of a response to HEAD. */
function complete(
  response: HttpResponse | null,
  { method }: HttpRequest,
  { caller }: ProtocolContext,
): HttpResponse | null {
  if (response === null) return null;
  // A request with an operation has already been charged.
  if (MALFORMED.has(response.status) && caller.allowance === undefined) caller.onMalformed?.();
  return method === "HEAD" ? withoutBody(response) : response;
}

export function createRest(options: RestOptions): Rest {
  const { model, formats, writesOf, translateBody } = options;
  const operationsOf: OperationsOf = (resource) =>
    supportedOperations(resource.operations.rest, resource, writesOf(resource));
  const byPath = new Map<string, ResourceEndpoints>();
  for (const resource of model.resources.values()) {
    if (resource.historyOf !== undefined) continue;
    const endpoints = resourceEndpoints({ model, formats, operationsOf }, resource);
    if (allEndpoints(endpoints).length > 0) byPath.set(resource.path, endpoints);
  }
  const endpoints = [...byPath.values()].flatMap(allEndpoints);
  const methodsOfPath = new Map(endpoints.map(({ path, methods }) => [path, Object.keys(methods)]));
  const documents = createApiDocuments({ ...options, hasDocs: options.docs !== undefined, methodsOfPath });
  const explainPath = translateBody !== undefined && options.explains ? TRANSLATION_PATH : undefined;
  const developerConsole = createConsole({ ...options, explainPath });
  const { title, version, description } = options.info;
  const api = {
    title,
    version,
    ...(description === undefined ? {} : { description }),
    schemes: options.schemes,
    formats,
    developerPages: options.developerPages,
    ...(explainPath === undefined ? {} : { explainPath }),
  };
  const framed = formats.find((format) => format.endpointPage !== undefined);
  const assets = createAssets(options, api);
  const schemaPages = createSchemaPages({ ...options, api, byPath, operationsOf });
  const dispatch = createDispatch({ ...options, api }, endpoints);

  function answer(request: HttpRequest, context: ProtocolContext): MaybePromise<HttpResponse | null> {
    const { segment } = context;
    const resource = byPath.get(segment);
    if (resource === undefined || segment === "docs") {
      const other =
        assets.serve(request) ??
        developerConsole.serve(request, context.caller) ??
        schemaPages.serve(request, context.caller) ??
        answerDocument(request, context);
      if (other !== undefined) {
        noteRoute(context, request.path);
        return other;
      }
      if (resource === undefined) return null;
    }
    const match = matchEndpoint(resource, splitBelow(request.path, segment), request.method);
    if (match === undefined) throw noRoute(resource);
    return dispatch(match, request, context);
  }

  function answerDocument(request: HttpRequest, { caller }: ProtocolContext): MaybePromise<HttpResponse> | undefined {
    if (translateBody !== undefined && request.path === TRANSLATION_PATH)
      return serveTranslation(translateBody, request, caller, options.limits);
    const text = documents.texts.get(request.path)?.(request.prefix, request.query);
    return text === undefined
      ? undefined
      : serveDocument(
          request,
          text,
          request.path === "/" ? { ...options, api, principal: caller.principal } : undefined,
        );
  }

  function refuse(thrown: unknown, request: HttpRequest, { caller }: ProtocolContext): MaybePromise<HttpResponse> {
    if (!isBifocalError(thrown)) throw thrown;
    const place = { api, model, principal: caller.principal, bodyOf: () => bodyOf(byPath, request) };
    if (request.headers["accept"]?.includes("text/html") !== true) return negotiateProblem(thrown, request, place);
    return printRejected(options.printRequest, thrown, request).then((printed) =>
      negotiateProblem(thrown, request, { ...place, ...printed }),
    );
  }

  async function completeLater(
    response: Promise<HttpResponse | null>,
    request: HttpRequest,
    context: ProtocolContext,
  ): Promise<HttpResponse | null> {
    const whole = await response.catch((thrown: unknown) => refuse(thrown, request, context));
    return complete(whole, request, context);
  }

  const routes: readonly Route[] = [
    ...[...documents.texts.keys(), ...assets.paths, ...schemaPages.paths].map((path) => ({
      path,
      methods: ["GET", "HEAD", "OPTIONS"],
    })),
    ...(translateBody === undefined ? [] : [{ path: TRANSLATION_PATH, methods: TRANSLATION_METHODS }]),
    ...developerConsole.paths.map((path) => ({ path, methods: developerConsole.methodsAt(path) })),
    ...endpoints.map((endpoint) => ({ path: endpoint.path, methods: methodsOf(endpoint) })),
  ];
  const segments = new Set(routes.map(({ path }) => path.split("/")[1] as string));

  return {
    name: "rest",
    routes,
    openapi: documents.openapi,
    endpointPage: framed?.endpointPage && {
      page: (prefix) => framed.endpointPage?.({ api, model, prefix }) ?? "",
      headers: framed.pageHeaders ?? {},
      assets: {},
    },
    serves: { segments },
    methodsAt(path) {
      if (documents.texts.has(path) || assets.paths.includes(path)) return ["GET", "HEAD", "OPTIONS"];
      if (translateBody !== undefined && path === TRANSLATION_PATH) return TRANSLATION_METHODS;
      const segments = splitPath(path);
      const resource = byPath.get(segments[1] ?? "");
      if (resource === undefined) return [...developerConsole.methodsAt(path), ...schemaPages.methodsAt(path)];
      const found = (["OPTIONS", "GET"] as const).flatMap((method) => {
        const match = resource && matchEndpoint(resource, segments, method);
        return match === undefined ? [] : methodsOf(match.endpoint);
      });
      return [...new Set(found)];
    },
    refuse: (error, request) => negotiateProblem(error, request, { api, model }),
    handle(request, context) {
      let response: MaybePromise<HttpResponse | null>;
      try {
        response = answer(request, context);
      } catch (thrown) {
        response = refuse(thrown, request, context);
      }
      return response instanceof Promise
        ? completeLater(response, request, context)
        : complete(response, request, context);
    },
  };
}
