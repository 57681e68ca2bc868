import { BifocalError } from "../client-error.ts";

/** Returns the part of a URL after the path. Throws BAD_REQUEST if a URL can't express the query. */
export function requireSearch(query: string | undefined): string {
  if (query === undefined) {
    throw new BifocalError("BAD_REQUEST", "A URL can't express null, or an empty list or object.");
  }
  return query && `?${query}`;
}
