import type { ClientDescription, ClientResource } from "@bifocal/core";
import type { WatchQuery } from "../watch.ts";
import { writeQuery } from "./query-string.ts";
import { selectQuery } from "./select-query.ts";

/** Writes the query string of an event stream. Returns undefined if a URL can't express it. */
export function watchSearch(
  description: ClientDescription,
  resource: ClientResource,
  { filter, initial, select }: Pick<WatchQuery, "filter" | "initial" | "select">,
): string | undefined {
  return writeQuery({ ...selectQuery(description, resource, select), filter, initial: initial || undefined });
}
