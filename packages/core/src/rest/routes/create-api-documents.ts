import type { Principal } from "../../definition/principal.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../message/message.ts";
import type { Model } from "../../model/model.ts";
import type { JsonObject } from "../../util/json.ts";
import { createLru } from "../../util/lru.ts";
import { refuse } from "../../errors/refuse.ts";
import { negotiate } from "../request/negotiate.ts";
import { parseQuery } from "../request/parse-query.ts";
import { buildOpenApi } from "../openapi/build-openapi.ts";
import type { ApiView, Format, IndexView } from "../formats/format.ts";
import type {
  ApiInfo,
  OpenApiFormats,
  OpenApiOptions,
  OpenApiVersion,
  SecuritySchemes,
} from "../openapi/openapi-types.ts";
import type { PrintRequest } from "../request/print-request.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import { hashTag, isNotModified, JSON_UTF8, NOSNIFF, PRIVATE } from "../response/headers.ts";

export interface Documents {
  /** Functions that return a document by path, for the prefix at which the API is mounted and a query string. */
  readonly texts: ReadonlyMap<string, (prefix: string, query?: string) => string>;
  readonly openapi: (prefix: string, version?: OpenApiVersion, described?: OpenApiFormats) => JsonObject;
}

interface DocumentOptions {
  readonly model: Model;
  readonly info: ApiInfo;
  readonly schemes: SecuritySchemes;
  readonly formats: readonly Format[];
  readonly openapiVersion: OpenApiVersion;
  readonly hasDocs: boolean;
  readonly methodsOfPath: OpenApiOptions["methodsOfPath"];
  readonly writeSamples: OpenApiOptions["writeSamples"];
  /** Further documents, served unchanged, by path. */
  readonly documents: Readonly<Record<string, () => JsonObject>>;
}

/** Creates the documents that describe the API: its index and its OpenAPI document. */
export function createApiDocuments({ openapiVersion, hasDocs, documents, ...parts }: DocumentOptions): Documents {
  const { model, info } = parts;
  const openapi: Documents["openapi"] = (prefix, version = openapiVersion, described = "json") =>
    buildOpenApi({ ...parts, version, described, prefix });
  const ofFormats = {
    json: keepTexts((prefix) => openapi(prefix)),
    all: keepTexts((prefix) => openapi(prefix, openapiVersion, "all")),
  };

  function index(prefix: string): JsonObject {
    const links = [...model.resources.values()]
      .filter(({ operations }) => operations.rest.list)
      .map(({ plural, path }) => [plural, `${prefix}/${path}`] as const);
    return {
      title: info.title,
      version: info.version,
      collections: Object.fromEntries(links),
      graphql: `${prefix}/graphql`,
      openapi: `${prefix}/openapi.json`,
      ...(hasDocs ? { docs: `${prefix}/docs` } : {}),
    };
  }

  const texts = new Map<string, (prefix: string, query?: string) => string>([
    ["/", keepTexts(index)],
    ["/openapi.json", (prefix, query) => ofFormats[readFormats(query)](prefix)],
    ...Object.entries(documents).map(([path, document]) => [path, keepTexts(document)] as const),
  ]);
  return { texts, openapi };
}

/** Reads `formats=all`. Other parameters are ignored, as for other documents. */
function readFormats(query = ""): OpenApiFormats {
  const { formats = "json" } = query === "" ? {} : parseQuery(query);
  if (formats === "json" || formats === "all") return formats;
  return refuse(["formats"], "malformed", "'formats' must be 'json' or 'all'.");
}

const PREFIXES = 16;

/**
 * Caches the text per prefix. The cache is limited, because hosts may pass the mount as the client spelled it, or with
 * a variable part.
 */
function keepTexts(write: (prefix: string) => JsonObject): (prefix: string) => string {
  const texts = createLru<string>(PREFIXES);
  return (prefix) => {
    const kept = texts.get(prefix);
    if (kept !== undefined) return kept;
    const text = JSON.stringify(write(prefix));
    texts.set(prefix, text, 1);
    return text;
  };
}

interface IndexParts {
  readonly api: ApiView;
  readonly model: Model;
  readonly printRequest: PrintRequest;
  readonly principal: Principal | null;
  /** Names of the headers that identify the caller. */
  readonly credentials: readonly string[];
}

/** Serves a text that is the same for all callers. Pages of the index can show the caller. */
export function serveDocument(request: HttpRequest, text: string, index?: IndexParts): MaybePromise<HttpResponse> {
  const { method } = request;
  if (method === "OPTIONS")
    return { status: 204, headers: { Allow: "GET, HEAD, OPTIONS", "Cache-Control": "no-store" }, body: null };
  if (method !== "GET" && method !== "HEAD") {
    throw new BifocalError("METHOD_NOT_ALLOWED", `${method} is not supported here.`, {
      headers: { Allow: "GET, HEAD, OPTIONS" },
    });
  }
  const pages = index?.api.formats.filter((format) => format.index !== undefined) ?? [];
  const offered = [JSON_TYPE, ...pages.map(({ mediaType }) => mediaType)];
  const type = negotiate(request.headers["accept"], offered, pages);
  if (type === undefined) {
    throw new BifocalError("NOT_ACCEPTABLE", `Available formats: ${offered.join(" or ")}. Set 'Accept' accordingly.`);
  }
  const page = pages.find(({ mediaType }) => mediaType === type);
  const { prefix } = request;
  const requestTextsOf: IndexView["requestTextsOf"] = async (path, query) =>
    index?.printRequest({ method: "GET", path, query, prefix, headers: {} });
  let isPersonal = false;
  const principal = (): Principal | null => {
    isPersonal = true;
    return index?.principal ?? null;
  };
  const written = (index && page?.index?.({ ...index, prefix, principal, requestTextsOf })) ?? text;
  return mapMaybePromise(written, (body) => {
    const credentials = isPersonal ? (index?.credentials ?? []) : [];
    return documentResponse(request, page, body, {
      "Cache-Control": isPersonal ? PRIVATE : "no-cache",
      Vary: ["Accept", ...credentials].join(", "),
    });
  });
}

function documentResponse(
  request: HttpRequest,
  page: Format | undefined,
  body: string,
  caching: Readonly<Record<string, string>>,
): HttpResponse {
  const contentType = page === undefined ? JSON_UTF8 : (page.contentType ?? page.mediaType);
  const headers = { ...caching, ETag: hashTag(body), ...NOSNIFF };
  if (isNotModified(request, headers.ETag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { "Content-Type": contentType, ...headers, ...page?.pageHeaders }, body };
}
