import type { Log } from "../util/log.ts";
import type { HttpRequest } from "../message/message.ts";

/**
 * Says once that there seems to be a proxy which nobody named, when the rate limit refuses an address: all clients behind it
 * have that address in common.
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
