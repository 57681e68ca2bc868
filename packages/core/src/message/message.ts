import type { Log } from "../util/log.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";

/** A request that no framework made: what an adapter translates into. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** The path within the mount, percent-encoded as it came, starting with `/`. */
  readonly path: string;
  /** What stands behind `?`, undecoded; empty where there is none. */
  readonly query: string;
  /** Lower-case names; repeated headers as Node joins them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** How many headers came, the repeated ones each. */
  readonly headerCount?: number;
  /** Whether a header came more than once: of some Node keeps the first alone. */
  repeats?(name: string): boolean;
  /** Of the socket's other end, as Node says it. */
  readonly address?: string | undefined;
  /** `https` where the connection is encrypted. Default: `http`. */
  readonly scheme?: string;
  /** What stands before `path` in the URL: `/api`, or empty. Answers link under it. */
  readonly prefix: string;
  /** The whole body as bytes; throws or rejects with PAYLOAD_TOO_LARGE beyond `limit` bytes. */
  body(limit: number): MaybePromise<Uint8Array>;
  /** Where something before us has read and parsed the body already. */
  readonly parsedBody?: unknown;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Stops watching the client for `signal`: an open event stream is ended by whoever writes it. */
  releaseSignal?(): void;
  /** The host's own id for this request, if it has one. */
  readonly id?: string;
  /** Where failures of this request are logged. Default: the log of the API. */
  readonly log?: Log | undefined;
  /** The framework's request, for an `auth` function of the host. */
  readonly raw: unknown;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is written piece by piece, at the pace of the client. */
  readonly body: string | Uint8Array | AsyncIterable<string> | null;
}

/** A file that pages refer to. A function is called when somebody first asks. */
export interface Asset {
  readonly contentType: string;
  readonly body: string | Uint8Array | (() => string | Uint8Array);
}

/** A page for people, which a package of its own brings along. */
export interface WebPage<View> {
  readonly page: (view: View) => string;
  /** Of the page. */
  readonly headers: Readonly<Record<string, string>>;
  /** Files that the page refers to, by name. */
  readonly assets: Readonly<Record<string, Asset>>;
}

export function isStream(body: HttpResponse["body"]): body is AsyncIterable<string> {
  return body !== null && typeof body !== "string" && !(body instanceof Uint8Array);
}
