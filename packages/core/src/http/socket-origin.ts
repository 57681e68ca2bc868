import type { HttpRequest } from "./message.ts";
import type { Cors } from "./cors.ts";

/** Whether a WebSocket may be opened, by the headers of its upgrade. */
export type AcceptsSocket = (headers: HttpRequest["headers"]) => boolean;

/**
 * A browser lets any page open a socket to any host, and sends that host's cookies with it (RFC 6455 §10.2). So where
 * cookies say who calls, a page must be of the host itself, or of an origin that `cors` allows. Who names no origin is no
 * browser.
 */
export function createAcceptsSocket(credentials: readonly string[], cors: Cors | undefined): AcceptsSocket {
  if (!credentials.includes("Cookie")) return () => true;
  return ({ origin, host }) => {
    if (origin === undefined) return true;
    return hostOf(String(origin)) === String(host) || cors?.allows(String(origin)) === true;
  };
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
