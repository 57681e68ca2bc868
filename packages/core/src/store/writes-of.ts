import type { ResourceModel } from "../model/model.ts";
import type { StoreWrites } from "../model/store-writes.ts";
import type { Store } from "./store.ts";

/** Returns the writes that the store of a resource supports. */
export function writesOf(store: Store, resource: ResourceModel): StoreWrites {
  const { writes } = store.capabilities;
  return store.writesOf?.(resource) ?? { create: writes, update: writes, delete: writes };
}
