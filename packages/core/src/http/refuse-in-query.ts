import type { Authentication } from "../auth/authentication.ts";
import { BifocalError } from "../errors/bifocal-error.ts";

/**
 * Refuses a credential that stands in a URL, where logs and `Referer` would keep it (RFC 6750 §5.3). Throws BAD_REQUEST
 * without repeating it.
 */
export function createRefuseInQuery({ identify, headers }: Authentication): (query: string) => void {
  if (identify === undefined) return () => {};
  const names = new Set(["access_token", "api_key", "apikey", ...headers.map((header) => header.toLowerCase())]);
  return (query) => {
    if (query === "") return;
    for (const part of query.split("&")) {
      const [name = ""] = part.split("=", 1);
      if (names.has(name.toLowerCase())) {
        throw new BifocalError("BAD_REQUEST", "A credential comes in a header, and not in the URL.");
      }
    }
  };
}
