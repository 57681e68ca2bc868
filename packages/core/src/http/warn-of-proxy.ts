import type { Log } from "../util/log.ts";
import type { HttpRequest } from "../message/message.ts";

/**
 * Creates a function that logs a warning once if the rate limit rejects an address and a proxy seems to be missing in
 * `trustedProxies`. All clients behind such a proxy share one address.
 */
export function warnOfProxy(
  trustedProxies: readonly string[] | undefined,
  log: Log,
): (request: Pick<HttpRequest, "headers">) => void {
  let isSaid = trustedProxies !== undefined;
  return ({ headers }) => {
    if (isSaid || headers["x-forwarded-for"] === undefined) return;
    isSaid = true;
    log.warn(
      "The rate limit rejected a request with `X-Forwarded-For`. If your proxy sent it, add the proxy to `trustedProxies`. Until then, all its clients share one limit.",
    );
  };
}
