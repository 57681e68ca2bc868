import { type HttpRequest, sameHostPath } from "../../message/message.ts";
import type { Log } from "../../util/log.ts";
import { readFetchBody } from "./read-fetch-body.ts";

export interface FetchRequestOptions<Host = undefined> {
  /** The part of the path before the API, such as `/api`, or empty. */
  readonly prefix: string;
  /**
   * Returns the client's IP address, from what the host passed with the request. Called when it is needed. Clients
   * without one share a rate limit.
   */
  readonly address: (request: Request, host: Host) => string | undefined;
  /** The host's own log of the request. */
  readonly log?: Log | undefined;
}

/** Counts for every client whose address the host doesn't know, so that they are limited too. */
const UNKNOWN_ADDRESS = "0.0.0.0";

/**
 * Wraps a `Request` of the Fetch API in the neutral interface. Returns `undefined` if its path isn't below the prefix.
 * Every adapter for a host with `Request` and `Response` uses it.
 */
export function fromFetchRequest(request: Request, options: FetchRequestOptions): HttpRequest | undefined;
export function fromFetchRequest<Host>(
  request: Request,
  options: FetchRequestOptions<Host>,
  host: Host,
): HttpRequest | undefined;
export function fromFetchRequest(
  request: Request,
  options: FetchRequestOptions<never>,
  host?: unknown,
): HttpRequest | undefined {
  const { url } = request;
  const { prefix } = options;
  const start = url.indexOf("/", authorityOf(url));
  if (start < 0) return undefined;
  const hash = url.indexOf("#", start);
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf("?", start);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const pathStart = start + prefix.length;
  const isRoot = pathStart === pathEnd;
  if (prefix !== "" && !(url.startsWith(prefix, start) && (isRoot || url[pathStart] === "/"))) return undefined;
  const path = isRoot ? "/" : url.slice(pathStart, pathEnd);
  const query = pathEnd === end ? "" : url.slice(pathEnd + 1, end);
  return new FetchRequest(request, path, query, options as FetchRequestOptions<unknown>, host);
}

class FetchRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly headerCount: number;
  readonly log: Log | undefined;
  readonly raw: Request;
  readonly #options: FetchRequestOptions<unknown>;
  readonly #host: unknown;
  #address: string | undefined;

  constructor(request: Request, path: string, query: string, options: FetchRequestOptions<unknown>, host: unknown) {
    this.method = request.method;
    this.path = path;
    this.query = query;
    const sent: BunHeaders = request.headers;
    const headers = sent.toJSON?.() ?? Object.fromEntries(sent);
    this.headerCount = sent.count ?? Object.keys(headers).length;
    // Hosts may leave out the header that their URL comes from.
    headers["host"] ??= hostOf(request.url);
    this.headers = headers;
    this.log = options.log;
    this.raw = request;
    this.#options = options;
    this.#host = host;
  }

  /** `Headers` joins repeated headers with commas, which the values of single headers don't contain. */
  repeats(name: string): boolean {
    return name !== "cookie" && this.headers[name]?.includes(",") === true;
  }

  body(limit: number): Promise<Uint8Array> {
    return readFetchBody(this.raw, this.headers, limit);
  }

  /** Hosts have to look it up. */
  get address(): string {
    return (this.#address ??= this.#options.address(this.raw, this.#host) ?? UNKNOWN_ADDRESS);
  }

  get prefix(): string {
    const { prefix } = this.#options;
    return prefix === "" ? "" : sameHostPath(prefix);
  }

  get scheme(): string {
    return this.raw.url.startsWith("https:") ? "https" : "http";
  }

  /** Hosts create it on first use. */
  get signal(): AbortSignal {
    return this.raw.signal;
  }
}

/** What Bun adds to `Headers`. */
interface BunHeaders extends Headers {
  readonly toJSON?: () => Record<string, string>;
  readonly count?: number;
}

/** Returns the index at which the host of a URL begins. */
function authorityOf(url: string): number {
  // `indexOf` takes longer than both tests together.
  if (url.charCodeAt(4) === COLON) return "http://".length;
  return url.charCodeAt(5) === COLON ? "https://".length : url.indexOf("://") + 3;
}

const COLON = 58;

function hostOf(url: string): string {
  const start = authorityOf(url);
  const end = url.indexOf("/", start);
  return url.slice(start, end < 0 ? undefined : end);
}
