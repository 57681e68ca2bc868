import type { Store, StoreCapabilities } from "@bifocal/core/store";
import type { StoreHandle } from "./operations/ask.ts";
import { insertRows } from "./operations/insert-rows.ts";
import { aggregate, aggregatePer, byKeys, list, listPer, lockRows } from "./operations/read.ts";
import { deleteRow, link, unlink, update } from "./operations/write.ts";
import { appendChanges } from "./outbox/append-changes.ts";
import { readReceipt, writeReceipt } from "./receipts.ts";

/** Returns the store within a transaction, on the transaction's connection. */
export function transactionStore(handle: StoreHandle, capabilities: StoreCapabilities): Store {
  const { connection, dialect } = handle;
  const store: Store = {
    capabilities,
    open: () => {
      throw new Error("A transaction needs an open store.");
    },
    byKeys: (query, context) => byKeys(handle, query, context),
    list: (query, context) => list(handle, query, context),
    listPer: (query, context) => listPer(handle, query, context),
    aggregate: (query, context) => aggregate(handle, query, context),
    aggregatePer: (query, context) => aggregatePer(handle, query, context),
    insert: (command, context) => insertRows(handle, command, context),
    // On MySQL, the reads of a transaction lock ranges, and SQLite has one writer at a time.
    ...(dialect.name === "postgres" ? { lock: (query, context) => lockRows(handle, query, context) } : {}),
    update: (command, context) => update(handle, command, context),
    delete: (command, context) => deleteRow(handle, command, context),
    link: (command, context) => link(handle, command, context),
    unlink: (command, context) => unlink(handle, command, context),
    // A nested transaction is part of the outer one.
    transaction: (work) => work(store),
    readReceipt: (token, context) => readReceipt(handle, connection, token, context),
    writeReceipt: (receipt, context) => writeReceipt(handle, connection, receipt, context),
    appendChanges: (drafts, context) => appendChanges(handle, connection, drafts, context),
  };
  return store;
}
