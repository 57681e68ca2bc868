import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";

const PREFLIGHTED = ["graphql-require-preflight", "apollo-require-preflight"] as const;

/**
 * Refuses a GET that a page of another site had a browser send without asking (a "simple" request): it would carry what
 * the browser knows of its user, and the time that the answer takes tells about it. Browsers say where a request comes
 * from (https://www.w3.org/TR/fetch-metadata/); whoever sends none is no browser. Throws FORBIDDEN.
 */
export function refuseCrossSite({ headers }: HttpRequest, isAllowedOrigin: (origin: string) => boolean): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  // A header of one's own takes a preflight, which the server's CORS settings have answered then.
  if (PREFLIGHTED.some((name) => headers[name] !== undefined)) return;
  if (isAllowedOrigin(String(headers["origin"] ?? ""))) return;
  throw new BifocalError("FORBIDDEN", "Cross-site requests must use POST, or come from an origin that 'cors' allows.");
}
