import type { Authentication } from "../auth/authentication.ts";

/**
 * Whether a query string contains a credential, which logs and `Referer` would expose (RFC 6750 §5.3). Such a request
 * is rejected with an error that doesn't repeat the credential.
 */
export type HasCredential = (query: string) => boolean;

export function createHasCredential({ identify, headers }: Authentication): HasCredential {
  if (identify === undefined) return () => false;
  const names = new Set(["access_token", "api_key", "apikey", ...headers.map((header) => header.toLowerCase())]);
  return (query) =>
    query !== "" && query.split("&").some((part) => names.has(part.split("=", 1)[0]?.toLowerCase() ?? ""));
}
