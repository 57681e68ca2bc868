import Negotiator from "negotiator";
import type { Asset, HttpRequest } from "../../message/message.ts";
import { gzip } from "../../runtime/gzip.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { hashTag } from "../response/headers.ts";

/** A file in one encoding. */
export interface AssetContent {
  readonly body: string | Uint8Array;
  /** `ETag`, which differs by encoding (RFC 9110 §8.8.3.3), `Vary` and `Content-Encoding`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Smaller files fit into one packet, compressed or not. */
const LEAST_BYTES = 1_024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json)|image\/svg\+xml)/;

/**
 * Creates a function that reads a file in the encoding that the client prefers. Each file is read and compressed at most once,
 * on its first request.
 */
export function createAssetContents(): (
  request: HttpRequest,
  path: string,
  asset: Asset,
) => MaybePromise<AssetContent> {
  const whole = new Map<string, AssetContent>();
  const compressed = new Map<string, Promise<AssetContent>>();

  function wholeOf(path: string, { body, contentType }: Asset): AssetContent {
    let content = whole.get(path);
    if (content === undefined) {
      const read = typeof body === "function" ? body() : body;
      const varies = gzip !== undefined && COMPRESSIBLE.test(contentType) && read.length >= LEAST_BYTES;
      content = { body: read, headers: { ETag: hashTag(read), ...(varies && { Vary: "Accept-Encoding" }) } };
      whole.set(path, content);
    }
    return content;
  }

  return (request, path, asset) => {
    const content = wholeOf(path, asset);
    if (gzip === undefined || content.headers["Vary"] === undefined || !canSendGzip(request)) return content;
    let pending = compressed.get(path);
    if (pending === undefined) {
      const { body } = content;
      pending = gzip(typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body)).then(
        (bytes) => ({
          body: bytes,
          headers: { ...content.headers, ETag: hashTag(bytes), "Content-Encoding": "gzip" },
        }),
      );
      compressed.set(path, pending);
    }
    return pending;
  };
}

function canSendGzip({ headers, keepsEncoding }: HttpRequest): boolean {
  const accepted = headers["accept-encoding"];
  if (accepted === undefined || keepsEncoding !== true) return false;
  return new Negotiator({ headers: { "accept-encoding": String(accepted) } }).encoding(["gzip", "identity"]) === "gzip";
}
