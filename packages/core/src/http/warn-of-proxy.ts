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
      "The rate limit refused an address whose request had an `X-Forwarded-For`. If that is a proxy of yours, name it in `trustedProxies`: until then all clients share the points of one.",
    );
  };
}
