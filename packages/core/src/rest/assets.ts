import { BifocalError } from "../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { hashTag, isNotModified } from "./conditional.ts";
import type { Format } from "./formats/format.ts";
import { NOSNIFF } from "./headers.ts";

interface Asset {
  readonly contentType: string;
  readonly body: string;
}

/** The files of all formats, by path. */
export function collectAssets(formats: readonly Format[]): ReadonlyMap<string, Asset> {
  return new Map(
    formats.flatMap(({ assets = {} }) => Object.entries(assets).map(([name, asset]) => [`/-/${name}`, asset] as const)),
  );
}

/** Kept for ever: whoever refers to one says its version behind `?`. */
export function serveAsset(request: HttpRequest, { contentType, body }: Asset): HttpResponse {
  const { method } = request;
  const headers = { Allow: "GET, HEAD, OPTIONS" };
  if (method === "OPTIONS") return { status: 204, headers: { ...headers, "Cache-Control": "no-store" }, body: null };
  if (method !== "GET" && method !== "HEAD")
    throw new BifocalError("METHOD_NOT_ALLOWED", `There is no ${method} here.`, { headers });
  const sent = { "Cache-Control": "public, max-age=31536000, immutable", ETag: hashTag(body), ...NOSNIFF };
  if (isNotModified(request, sent.ETag)) return { status: 304, headers: sent, body: null };
  return { status: 200, headers: { "Content-Type": contentType, ...sent }, body };
}
