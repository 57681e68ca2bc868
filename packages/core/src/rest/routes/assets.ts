import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Asset, HttpRequest, HttpResponse } from "../../message/message.ts";
import type { ApiView, Format, PageView } from "../formats/format.ts";
import type { Model } from "../../model/model.ts";
import { hashTag, isNotModified, NOSNIFF } from "../response/headers.ts";
import { negotiate } from "../request/negotiate.ts";
import { mapMaybePromise, type MaybePromise } from "../../util/maybe-promise.ts";
import { createAssetContents } from "./asset-contents.ts";
import type { ReferencePage } from "./reference.ts";

/** Serves files of pages and the reference page. Returns undefined for other paths. */
export type ServeAsset = (request: HttpRequest) => MaybePromise<HttpResponse> | undefined;

export interface Assets {
  readonly paths: readonly string[];
  readonly serve: ServeAsset;
}

interface AssetOptions {
  readonly formats: readonly Format[];
  /** The reference page at `/docs`. */
  readonly docs: ReferencePage | undefined;
  readonly model: Model;
  /** Files of other pages, by name. */
  readonly assets: Readonly<Record<string, Asset>>;
}

const HTML = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache" };
const ALLOW = "GET, HEAD, OPTIONS";

interface Page {
  readonly write: (view: PageView) => string;
  readonly headers: Readonly<Record<string, string>> | undefined;
}

export function createAssets({ formats, docs, model, assets }: AssetOptions, api: ApiView): Assets {
  const { title } = api;
  const pages = new Map<string, Page>();
  for (const { pages: own = {}, pageHeaders: headers } of formats)
    for (const [name, write] of Object.entries(own)) pages.set(`/-/${name}`, { write, headers });
  const files = new Map<string, Asset>();
  for (const group of [...formats.map((format) => format.assets ?? {}), docs?.assets ?? {}, assets]) {
    for (const [name, asset] of Object.entries(group)) files.set(`/-/${name}`, asset);
  }
  const contentOf = createAssetContents();

  return {
    paths: [...(docs === undefined ? [] : ["/docs"]), ...files.keys(), ...pages.keys()],
    serve(request) {
      const { path, prefix, query } = request;
      const file = files.get(path);
      if (file !== undefined) {
        // A URL with a version (`?v=`) always refers to the same content.
        const age = query.startsWith("v=") ? "public, max-age=31536000, immutable" : "public, max-age=3600";
        const common = { "Content-Type": file.contentType, "Cache-Control": age, ...NOSNIFF };
        return mapMaybePromise(contentOf(request, path, file), ({ headers, body }) =>
          serve(request, { ...common, ...headers }, body),
        );
      }
      const page = pages.get(path);
      if (page !== undefined) {
        const body = page.write({ api, model, prefix });
        return serve(request, { ...HTML, ETag: hashTag(body), ...NOSNIFF, ...page.headers }, body);
      }
      if (docs === undefined || path !== "/docs") return undefined;
      if (negotiate(request.headers["accept"], ["text/html"]) === undefined) {
        throw new BifocalError("NOT_ACCEPTABLE", "Available formats: text/html. Set 'Accept' accordingly.");
      }
      const body = docs.page({ title, openapi: `${prefix}/openapi.json?formats=all`, assets: `${prefix}/-` });
      return serve(request, { ...HTML, ETag: hashTag(body), Vary: "Accept", ...NOSNIFF, ...docs.headers }, body);
    },
  };
}

function serve(request: HttpRequest, headers: Record<string, string>, body: string | Uint8Array): HttpResponse {
  const { method } = request;
  if (method === "OPTIONS") return { status: 204, headers: { Allow: ALLOW, "Cache-Control": "no-store" }, body: null };
  if (method !== "GET" && method !== "HEAD") {
    throw new BifocalError("METHOD_NOT_ALLOWED", `${method} is not supported here.`, { headers: { Allow: ALLOW } });
  }
  const { "Content-Type": _type, ...others } = headers;
  if (isNotModified(request, headers["ETag"] ?? "")) return { status: 304, headers: others, body: null };
  return { status: 200, headers, body };
}
