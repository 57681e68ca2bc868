import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/** A framework-independent request, which adapters create. */
export interface HttpRequest {
  /** In upper case. */
  readonly method: string;
  /** The path within the mount, percent-encoded as received, starting with `/`. */
  readonly path: string;
  /** The query string without `?`, not decoded. Empty if there is none. */
  readonly query: string;
  /** Header names are in lower case. Repeated headers are joined as Node does. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Number of headers, counting repeated ones if the host shows them. */
  readonly headerCount: number;
  /** Whether a header was sent more than once. Node keeps only the first value of some headers. */
  repeats(name: string): boolean;
  /** The address of the client or of the last proxy. `undefined` for calls within the process, which have no rate limit. */
  readonly address: string | undefined;
  /** `https` if the connection is encrypted, otherwise `http`. */
  readonly scheme: string;
  /** The part of the URL before `path`, such as `/api`, or empty. Links in responses start with it. */
  readonly prefix: string;
  /** Returns the whole body as bytes. Throws or rejects with PAYLOAD_TOO_LARGE if it exceeds `limit` bytes. */
  body(limit: number): MaybePromise<Uint8Array>;
  /** The body, if the host has already parsed it. */
  readonly parsedBody?: unknown;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Stops watching the client for `signal`. An open event stream is ended by its writer instead. */
  releaseSignal?(): void;
  /** Whether the host sends `Content-Encoding` and the body unchanged. Next.js, for one, removes it. Default: false. */
  readonly keepsEncoding?: boolean;
  /** The host's own id for this request, if it has one. */
  readonly id?: string;
  /** The log for errors of this request. Default: the log of the API. */
  readonly log?: Log | undefined;
  /** The framework's request, for authentication by the host. */
  readonly raw: unknown;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is written in pieces, at the pace of the client. */
  readonly body: string | Uint8Array | AsyncIterable<string> | null;
}

/** A file that pages refer to. A function is called on the first request. */
export interface Asset {
  readonly contentType: string;
  readonly body: string | Uint8Array | (() => string | Uint8Array);
}

/** A page for developers, provided by a separate package. */
export interface WebPage<View> {
  readonly page: (view: View) => string;
  /** Headers of the page. */
  readonly headers: Readonly<Record<string, string>>;
  /** Files that the page refers to, by name. */
  readonly assets: Readonly<Record<string, Asset>>;
}

export function isStream(body: HttpResponse["body"]): body is AsyncIterable<string> {
  return body !== null && typeof body !== "string" && !(body instanceof Uint8Array);
}

/**
 * Returns a path that always refers to the current host. `//name` would refer to the host `name` (RFC 3986 §4.2), and
 * browsers treat a backslash as a slash (https://url.spec.whatwg.org/#relative-slash-state).
 */
export function sameHostPath(path: string): string {
  const safe = path.includes("\\") ? path.replaceAll("\\", "%5C") : path;
  return safe.startsWith("//") ? safe.replace(/^\/+/, "/") : safe;
}
