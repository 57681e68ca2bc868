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
  const changes = api.local.book.watch({ on: ["created", "updated", "deleted"] });
  const heard = (async () => {
    const kinds: string[] = [];
    for await (const { kind } of changes) kinds.push(kind);
    return kinds;
  })();
  await api.local.book.create({ id: 1, title: "Emma" });
  await api.local.book.update(1, { title: "Persuasion" });
  await api.local.book.delete(1);
  await new Promise(setImmediate);
  await api.close();
  expect(await heard).toEqual(["created", "updated", "deleted"]);
  expect(retries).toBe(3);
});
