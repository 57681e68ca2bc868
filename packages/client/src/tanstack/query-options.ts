import type { DataTag } from "@tanstack/query-core";
import { type BifocalKey, keyOfCall } from "./query-key.ts";
import { recordCall, sendCall } from "./record-call.ts";

export interface BifocalQueryOptions<Data> {
  readonly queryKey: DataTag<BifocalKey, Data, Error>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/**
 * Returns the key and the function of a query.
 * @example
 * useQuery(queryOptions(client, ({ book }) => book.list({ sort: ["-price"], select: { title: true } })));
 */
export function queryOptions<C extends object, Data>(
  client: C,
  call: (client: C) => Promise<Data>,
): BifocalQueryOptions<Data> {
  const recorded = recordCall(call);
  return {
    queryKey: keyOfCall(recorded) as BifocalQueryOptions<Data>["queryKey"],
    queryFn: async ({ signal }) => sendCall(recorded, client, signal) as Promise<Data>,
  };
}
