import type { Store } from "@bifocal/core";
import type { SqlStore } from "../../src/index.ts";

/** A store that ignores all conditions, as if the engine had forgotten the tenant. */
export function carelessStore(store: SqlStore): Store {
  const careless = (handle: Store): Store => ({
    ...bound(handle),
    byKeys: (query, context) => handle.byKeys({ ...query, filter: undefined }, context),
    list: (query, context) => handle.list({ ...query, filter: undefined }, context),
    listPer: (query, context) => handle.listPer({ ...query, filter: undefined }, context),
    insert: (command, context) => handle.insert(command, context),
    update: (command, context) => handle.update({ ...command, where: undefined }, context),
    delete: (command, context) => handle.delete({ ...command, where: undefined }, context),
    link: (command, context) => handle.link(command, context),
    unlink: (command, context) => handle.unlink(command, context),
    transaction: (work, context) => handle.transaction((inner) => work(careless(inner)), context),
  });
  return careless(store);
}

function bound(handle: Store): Pick<Store, "capabilities" | "open" | "close"> {
  return {
    // Reads of this store don't combine, and its changes and receipts stay in memory.
    capabilities: { ...handle.capabilities, receipts: false, changes: false },
    open: (model, resources) => handle.open(model, resources),
    ...(handle.close && { close: handle.close.bind(handle) }),
  };
}
