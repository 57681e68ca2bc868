import type { Store, StoreCapabilities } from "@bifocal/core/store";
import type { Place } from "./operations/ask.ts";
import { insertRows } from "./operations/insert-rows.ts";
import { byKeys, list, listPer } from "./operations/read.ts";
import { link, remove, unlink, update } from "./operations/write.ts";
import { appendChanges } from "./outbox/append-changes.ts";
import { readReceipt, writeReceipt } from "./receipts.ts";

/** Returns the store within a transaction, on the transaction's connection. */
export function transactionStore(place: Place, capabilities: StoreCapabilities): Store {
  const { connection } = place;
  const store: Store = {
    capabilities,
    open: () => {
      throw new Error("A transaction needs an open store.");
    },
    byKeys: (query, context) => byKeys(place, query, context),
    list: (query, context) => list(place, query, context),
    listPer: (query, context) => listPer(place, query, context),
    insert: (command, context) => insertRows(place, command, context),
    update: (command, context) => update(place, command, context),
    remove: (command, context) => remove(place, command, context),
    link: (command, context) => link(place, command, context),
    unlink: (command, context) => unlink(place, command, context),
    // A nested transaction is part of the outer one.
    transaction: (work) => work(store),
    readReceipt: (token, context) => readReceipt(place, connection, token, context),
    writeReceipt: (receipt, context) => writeReceipt(place, connection, receipt, context),
    appendChanges: (drafts, context) => appendChanges(place, connection, drafts, context),
  };
  return store;
}
