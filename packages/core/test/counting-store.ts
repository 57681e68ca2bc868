import { memoryStore, type MemoryStoreOptions, type Store } from "../src/index.ts";

/** A memory store that records its calls: `book.byKeys(2)` for two keys, `review.listPer(3)` for three parents. */
export function countingStore(options: MemoryStoreOptions = {}): { readonly store: Store; readonly calls: string[] } {
  const store = memoryStore(options);
  const calls: string[] = [];
  return {
    calls,
    store: {
      ...store,
      byKeys(query, context) {
        calls.push(`${query.resource.name}.byKeys(${query.keys.length})`);
        return store.byKeys(query, context);
      },
      list(query, context) {
        calls.push(`${query.resource.name}.list`);
        return store.list(query, context);
      },
      listPer(query, context) {
        calls.push(`${query.resource.name}.listPer(${query.parents.length})`);
        return store.listPer(query, context);
      },
    },
  };
}

/** A log that records its entries. */
export function keepingLog() {
  const entries: { readonly level: string; readonly message: string; readonly details: unknown }[] = [];
  const at = (level: string) => (message: string, details?: unknown) => void entries.push({ level, message, details });
  return { entries, log: { info: at("info"), warn: at("warn"), error: at("error") } };
}
