import { isIP } from "node:net";
import { isLoopback } from "./addresses.ts";

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** A URL that credentials may depend on: by https, or on this machine. Throws what is wrong with it. */
export function checkUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new Error(`${what} is no URL: '${text}'.`);
  const host = hostOf(url);
  const isLocal = url.protocol === "http:" && (host === "localhost" || (isIP(host) !== 0 && isLoopback(host)));
  if (url.protocol !== "https:" && !isLocal) throw new Error(`${what} is to start with https: '${text}'.`);
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new Error(`${what} is to have neither a password nor a fragment.`);
  }
  return url;
}
