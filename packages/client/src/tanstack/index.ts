export { type BifocalInfiniteQueryOptions, infiniteQueryOptions, type PageParam } from "./infinite-query-options.ts";
export { type ChangesOptions, invalidateOnChanges } from "./invalidate-on-changes.ts";
export { type BifocalMutationOptions, mutationOptions, type MutationSettings } from "./mutation-options.ts";
export type { BifocalKey } from "./query-key.ts";
export { type BifocalQueryOptions, queryOptions } from "./query-options.ts";
