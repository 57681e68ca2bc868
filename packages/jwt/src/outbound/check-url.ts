import { isIP } from "node:net";
import { isLoopback } from "./addresses.ts";

/** Returns the host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Parses a URL that authentication depends on. Throws unless it uses https, or http on this machine. */
export function checkUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new Error(`${what} must be an absolute URL; received '${text}'.`);
  const host = hostOf(url);
  const isLocal = url.protocol === "http:" && (host === "localhost" || (isIP(host) !== 0 && isLoopback(host)));
  if (url.protocol !== "https:" && !isLocal) throw new Error(`${what} must start with https; received '${text}'.`);
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new Error(`${what} must have neither a password nor a fragment.`);
  }
  return url;
}
