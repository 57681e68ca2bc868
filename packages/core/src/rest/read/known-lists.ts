import type { ResourceModel } from "../../model/model.ts";
import { createLru, type Lru } from "../../util/lru.ts";
import type { CompleteListParts } from "../../lowering/complete-list-parts.ts";
import type { ResponseShape } from "../request/lower-shape.ts";

/** A lowered list query. It only depends on the query string. */
export interface LoweredList extends CompleteListParts {
  readonly shape: ResponseShape;
  readonly count: boolean;
  readonly isPaged: boolean;
}

const MAX_QUERY_LENGTH = 512;
/** Maximum size of all lists of one resource, in bytes. */
const MAX_BYTES = 2_097_152;
/** Estimated size of a lowered list in bytes, measured as live heap on Node 24. */
const LIST = 1_024;
const CHARACTER = 96;

const KNOWN = new WeakMap<ResourceModel, Lru<LoweredList>>();

/** Lowers a query string, or returns the cached result, because clients often repeat the same queries. */
export function rememberList(resource: ResourceModel, query: string, lower: () => LoweredList): LoweredList {
  if (query.length > MAX_QUERY_LENGTH) return lower();
  let known = KNOWN.get(resource);
  if (known === undefined) {
    known = createLru(MAX_BYTES);
    KNOWN.set(resource, known);
  }
  const before = known.get(query);
  if (before !== undefined) return before;
  const lowered = lower();
  known.set(query, lowered, LIST + CHARACTER * query.length);
  return lowered;
}
