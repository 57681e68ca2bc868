import type { Authentication } from "../auth/authentication.ts";

/**
 * Whether a query string has a credential in it, where logs and `Referer` would keep it (RFC 6750 §5.3): such a request is
 * refused, and nothing of it repeated.
 */
export type HasCredential = (query: string) => boolean;

export function createHasCredential({ identify, headers }: Authentication): HasCredential {
  if (identify === undefined) return () => false;
  const names = new Set(["access_token", "api_key", "apikey", ...headers.map((header) => header.toLowerCase())]);
  return (query) =>
    query !== "" && query.split("&").some((part) => names.has(part.split("=", 1)[0]?.toLowerCase() ?? ""));
}
