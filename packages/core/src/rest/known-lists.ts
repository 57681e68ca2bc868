import type { ResourceModel } from "../model/model.ts";
import type { ListParts } from "./lower-list.ts";
import type { Shape } from "./lower-shape.ts";

/** What a list query means: the same for each request that says the same. */
export interface LoweredList extends ListParts {
  readonly shape: Shape;
  readonly count: boolean;
  readonly isPaged: boolean;
}

const MOST = 500;
const LONGEST = 512;

const KNOWN = new WeakMap<ResourceModel, Map<string, LoweredList>>();

/** Lowers a query string, unless it was lowered a short while ago: clients ask the same over and over. */
export function rememberList(resource: ResourceModel, query: string, lower: () => LoweredList): LoweredList {
  if (query.length > LONGEST) return lower();
  let known = KNOWN.get(resource);
  if (known === undefined) {
    known = new Map();
    KNOWN.set(resource, known);
  }
  const before = known.get(query);
  if (before !== undefined) return before;
  const lowered = lower();
  if (known.size >= MOST) {
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(query, lowered);
  return lowered;
}
