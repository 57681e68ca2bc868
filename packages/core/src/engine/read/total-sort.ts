import type { ResourceModel } from "../../model/model.ts";
import type { Sort, SortTerm } from "../../operation/sort.ts";

const BY_KEY = new WeakMap<ResourceModel, Sort>();

/** Appends the key to a sort, so that the order is total. */
export function totalSort(resource: ResourceModel, sort: Sort): Sort {
  let byKey = BY_KEY.get(resource);
  if (byKey === undefined) {
    byKey = Object.freeze(resource.key.map((name): SortTerm => ({ path: [name], descending: false })));
    BY_KEY.set(resource, byKey);
  }
  if (sort.length === 0) return byKey;
  const missing = byKey.filter(({ path: [name] }) => !sort.some(({ path }) => path.length === 1 && path[0] === name));
  return [...sort, ...missing];
}
