import { COOKIE } from "../auth/credential-headers.ts";
import type { Cors } from "./cors.ts";
import type { HttpRequest } from "../message/message.ts";

/** Whether a request may come from the page that sent it, by the request's headers. */
export type AcceptsPage = (headers: HttpRequest["headers"]) => boolean;

/**
 * A browser lets any page send some requests to any host, and open a socket to it, and sends that host's cookies with it (RFC 6455
 * §10.2). So where cookies say who calls, a page must be of the host itself, or of an origin that `cors` allows. Browsers say
 * which it is (https://www.w3.org/TR/fetch-metadata/, RFC 6454); who says nothing is no browser.
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

/** The methods by which nothing is changed (RFC 9110 §9.2.1, RFC 10008). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** Whether a request that may change something was sent by a page that may not, with cookies that it does not know. */
export function isForged({ method, headers }: HttpRequest, acceptsPage: AcceptsPage): boolean {
  return headers["cookie"] !== undefined && !SAFE.has(method) && !acceptsPage(headers);
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
