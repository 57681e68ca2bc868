import type { ResourceModel } from "../../model/model.ts";
import { createLru, type Lru } from "../../util/lru.ts";
import type { Exchange } from "./exchange.ts";

const MAX_QUERY_LENGTH = 512;
/** Maximum size of all lowered queries of one resource, in bytes. */
const MAX_BYTES = 2_097_152;
/** Estimated size of a lowered query in bytes, measured as live heap on Node 24. */
const QUERY = 1_024;
const CHARACTER = 96;

/**
 * Returns a function that lowers the query string of a request, or returns the cached result, because clients often
 * repeat the same queries.
 */
export function createRememberQuery<Lowered>(): (exchange: Exchange, lower: () => Lowered) => Lowered {
  const known = new WeakMap<ResourceModel, Lru<Lowered>>();
  return ({ target: { resource }, request: { query }, format, preferences }, lower) => {
    // Formats and preferences have parameters of their own.
    const isPlain = format === undefined && preferences.handling !== "lenient";
    if (!isPlain || query.length > MAX_QUERY_LENGTH) return lower();
    let queries = known.get(resource);
    if (queries === undefined) known.set(resource, (queries = createLru(MAX_BYTES)));
    const before = queries.get(query);
    if (before !== undefined) return before;
    const lowered = lower();
    queries.set(query, lowered, QUERY + CHARACTER * query.length);
    return lowered;
  };
}
