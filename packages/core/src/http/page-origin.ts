import { COOKIE } from "../auth/credential-headers.ts";
import type { Cors } from "./cors.ts";
import type { HttpRequest } from "../message/message.ts";

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
