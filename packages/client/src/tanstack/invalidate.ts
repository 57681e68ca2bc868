import type { QueryClient } from "@tanstack/query-core";
import { describeApi } from "../describe-api.ts";
import { readsResource, SCOPE } from "./query-key.ts";

/** Reads the queries again that read rows of the resources, or all queries. Waits for the active ones. */
export async function invalidate(client: object, cache: QueryClient, names?: readonly string[]): Promise<void> {
  if (names === undefined) return cache.invalidateQueries({ queryKey: [SCOPE] });
  const description = await describeApi(client);
  await cache.invalidateQueries({
    predicate: ({ queryKey }) => names.some((name) => readsResource(description, queryKey, name)),
  });
}
