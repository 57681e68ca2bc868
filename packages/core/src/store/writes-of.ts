import type { ResourceModel } from "../model/model.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import type { Store } from "./store.ts";

/** What can be done to the rows of a resource in its store. */
export function writesOf(store: Store, resource: ResourceModel): StoreWrites {
  const { writes } = store.capabilities;
  return store.writesOf?.(resource) ?? { create: writes, update: writes, remove: writes };
}
