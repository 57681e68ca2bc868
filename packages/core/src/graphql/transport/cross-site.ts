import { BifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest } from "../../message/message.ts";

const PREFLIGHTED = ["graphql-require-preflight", "apollo-require-preflight"] as const;

/**
 * Rejects a GET that a page of another site made the browser send without a preflight (a "simple" request). It would
 * carry the user's credentials, and its response time would leak information. Browsers declare where a request comes
 * from (https://www.w3.org/TR/fetch-metadata/); other clients do not, and are allowed. Throws FORBIDDEN.
 */
export function refuseCrossSite({ headers }: HttpRequest, isAllowedOrigin: (origin: string) => boolean): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  // Custom headers require a preflight, which the server's CORS settings have already allowed.
  if (PREFLIGHTED.some((name) => headers[name] !== undefined)) return;
  if (isAllowedOrigin(String(headers["origin"] ?? ""))) return;
  throw new BifocalError("FORBIDDEN", "Cross-site requests must use POST, or come from an origin that 'cors' allows.");
}
