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
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0 || !url.startsWith(prefix, start)) return undefined;
  const hash = url.indexOf("#", start);
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf("?", start);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const path = url.slice(start + prefix.length, pathEnd);
  if (path !== "" && !path.startsWith("/")) return undefined;
  const query = pathEnd === end ? "" : url.slice(pathEnd + 1, end);
  return new FetchRequest(request, path === "" ? "/" : path, query, options as FetchRequestOptions<unknown>, host);
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
    const headers = headersOf(request.headers);
    this.headerCount = (request.headers as BunHeaders).count ?? Object.keys(headers).length;
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

/** Returns the headers by name in lower case. Bun converts them faster itself. */
function headersOf(headers: BunHeaders): Record<string, string> {
  return headers.toJSON?.() ?? Object.fromEntries(headers);
}

function hostOf(url: string): string {
  const start = url.indexOf("://") + 3;
  const end = url.indexOf("/", start);
  return url.slice(start, end < 0 ? undefined : end);
}
