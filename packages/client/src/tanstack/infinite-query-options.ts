import type { DataTag, InfiniteData } from "@tanstack/query-core";
import type { Page } from "../lens.ts";
import { type BifocalKey, keyOfCall } from "./query-key.ts";
import { recordCall, requireFunction, sendCall } from "./record-call.ts";

/** The place of a page, as a part of the option `page`. Empty for the first page. */
export interface PageParam {
  readonly after?: string;
  readonly before?: string;
}

type Cursors = Pick<Page, "hasNext" | "hasPrevious" | "startCursor" | "endCursor">;

export interface BifocalInfiniteQueryOptions<Data> {
  readonly queryKey: DataTag<BifocalKey, InfiniteData<Data, PageParam>, Error>;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: PageParam }) => Promise<Data>;
  readonly initialPageParam: PageParam;
  readonly getNextPageParam: (last: Data) => PageParam | undefined;
  readonly getPreviousPageParam: (first: Data) => PageParam | undefined;
}

/**
 * Returns the options of a query that reads page after page, by cursors.
 * @example
 * useInfiniteQuery(infiniteQueryOptions(client, ({ book }, page) => book.list({ page: { size: 20, ...page } })));
 */
export function infiniteQueryOptions<C extends object, Data extends Cursors>(
  client: C,
  call: (client: C, page: PageParam) => Promise<Data>,
): BifocalInfiniteQueryOptions<Data> {
  requireFunction(call);
  const record = (page: PageParam) => recordCall((recorder) => call(recorder, page));
  const first = keyOfCall(record({}));
  if (JSON.stringify(first) === JSON.stringify(keyOfCall(record({ after: "" }))))
    throw new TypeError("Pass on 'page': ({ book }, page) => book.list({ page: { size: 20, ...page } }).");
  const key = [...first, "infinite"];
  return {
    queryKey: key as unknown as BifocalInfiniteQueryOptions<Data>["queryKey"],
    queryFn: async ({ signal, pageParam }) => sendCall(record(pageParam), client, signal) as Promise<Data>,
    initialPageParam: {},
    getNextPageParam: ({ hasNext, endCursor }) => (hasNext && endCursor !== null ? { after: endCursor } : undefined),
    getPreviousPageParam: ({ hasPrevious, startCursor }) =>
      hasPrevious && startCursor !== null ? { before: startCursor } : undefined,
  };
}
