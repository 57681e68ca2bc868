import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore, type Store } from "../../src/index.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const nothing = { before: () => {} };
// With hooks, each write is a transaction.
const hooks = { create: nothing, update: nothing, delete: nothing };
const book = defineResource("book", { fields: { id: z.int32(), title: z.string() }, access: open, hooks });

/** A store that rolls each transaction back once and runs its work again, as after a deadlock. */
function retryingStore(onRetry: () => void): Store {
  const store = memoryStore();
  const conflict = new Error("a deadlock");
  return {
    ...store,
    async transaction(work, context) {
      const first = store.transaction(async (handle) => {
        await work(handle);
        throw conflict;
      }, context);
      await expect(first).rejects.toBe(conflict);
      onRetry();
      return store.transaction(work, context);
    },
  };
}

test("sends one event for a write that ran twice", async () => {
  let retries = 0;
  const api = defineApi({ resources: [book], store: retryingStore(() => (retries += 1)) });
  const changes = api.local.book.watch({ on: ["created", "updated", "deleted"] })[Symbol.asyncIterator]();
  const heard: (string | undefined)[] = [];
  // A change is left out if the row is deleted before it is read, so each one is awaited.
  const hear = async () => heard.push((await changes.next()).value?.kind);
  await Promise.all([hear(), api.local.book.create({ id: 1, title: "Emma" })]);
  await Promise.all([hear(), api.local.book.update(1, { title: "Persuasion" })]);
  await Promise.all([hear(), api.local.book.delete(1)]);
  await new Promise(setImmediate);
  await Promise.all([hear(), api.close()]);
  expect(heard).toEqual(["created", "updated", "deleted", undefined]);
  expect(retries).toBe(3);
});
