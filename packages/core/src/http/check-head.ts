import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../limits/limits.ts";
import type { HttpRequest } from "../message/message.ts";
import { COOKIE } from "../auth/credential-headers.ts";
import type { Cors } from "./cors.ts";
import type { Authentication } from "../auth/authentication.ts";

type Head = Pick<HttpRequest, "method" | "query" | "headerCount" | "headers" | "repeats">;

export interface CheckHeadOptions {
  readonly limits: Limits;
  readonly hasCredential: HasCredential;
  readonly acceptsPage: AcceptsPage;
}

/**
 * Rejects a request by its head alone. Throws URI_TOO_LONG (RFC 9110 §15.5.15), HEADERS_TOO_LARGE (RFC 6585 §5),
 * BAD_REQUEST or FORBIDDEN.
 */
export function checkHead(request: Head, { limits, hasCredential, acceptsPage }: CheckHeadOptions): void {
  const { query, headerCount, headers } = request;
  if (query.length > limits.http.queryLength) {
    throw new BifocalError(
      "URI_TOO_LONG",
      `The query string is too long. The maximum is ${limits.http.queryLength} characters.`,
    );
  }
  if (headerCount > limits.http.headers) {
    throw new BifocalError(
      "HEADERS_TOO_LARGE",
      `The request has too many headers. The maximum is ${limits.http.headers}.`,
    );
  }
  // A proxy in front of the server may have used the other value (RFC 9112 §3.2, RFC 9110 §5.3).
  if (request.repeats("host")) throw new BifocalError("BAD_REQUEST", "The header 'Host' was sent more than once.");
  if (headers["content-type"] !== undefined && request.repeats("content-type")) {
    throw new BifocalError("BAD_REQUEST", "The header 'Content-Type' was sent more than once.");
  }
  if (hasCredential(query)) throw new BifocalError("BAD_REQUEST", "Send credentials in a header, not in the URL.");
  if (isForged(request, acceptsPage)) {
    throw new BifocalError("FORBIDDEN", "Cross-site requests with cookies are not allowed here.");
  }
}

/** Safe methods, which change nothing (RFC 9110 §9.2.1, RFC 10008). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** Whether an unsafe request was sent with cookies by a page of an origin that isn't allowed. */
function isForged({ method, headers }: Head, acceptsPage: AcceptsPage): boolean {
  return headers["cookie"] !== undefined && !SAFE.has(method) && !acceptsPage(headers);
}

/** Whether a request may come from the page that sent it, according to its headers. */
export type AcceptsPage = (headers: HttpRequest["headers"]) => boolean;

/**
 * A browser lets any page send some requests to any host, and open a socket to it, with that host's cookies (RFC 6455
 * §10.2). If cookies identify the caller, a page must therefore have the host's own origin or an origin that `cors`
 * allows. Browsers declare the origin (https://www.w3.org/TR/fetch-metadata/, RFC 6454). Requests that declare none do
 * not come from a browser.
 */
export function createAcceptsPage(credentials: readonly string[], cors: Cors | undefined): AcceptsPage {
  if (!credentials.includes(COOKIE)) return () => true;
  return ({ origin, host, "sec-fetch-site": site }) => {
    if (site === "same-origin" || site === "none") return true;
    if (origin === undefined) return site === undefined;
    if (cors?.allows(String(origin)) === true) return true;
    return site === undefined && hostOf(String(origin)) === String(host);
  };
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Whether a query string contains a credential, which logs and `Referer` would expose (RFC 6750 §5.3). Such a request
 * is rejected with an error that doesn't repeat the credential.
 */
export type HasCredential = (query: string) => boolean;

export function createHasCredential({ identify, headers }: Authentication): HasCredential {
  if (identify === undefined) return () => false;
  const names = new Set(["access_token", "api_key", "apikey", ...headers.map((header) => header.toLowerCase())]);
  return (query) =>
    query !== "" && query.split("&").some((part) => names.has(part.split("=", 1)[0]?.toLowerCase() ?? ""));
}
