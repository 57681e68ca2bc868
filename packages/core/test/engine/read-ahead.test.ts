import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore, type Store } from "../../src/index.ts";

const SEATS = 60;

const open = { read: allow, create: allow, update: allow, delete: allow };
const seat = defineResource("seat", { fields: { id: z.int32(), guest: z.string() }, access: open });

/**
 * A store that returns rows by key late and in reverse order. It records the highest number of concurrent reads, of
 * all rows and of one row.
 */
function farStore() {
  const store = memoryStore({ data: { seat: Array.from({ length: SEATS }, (_, id) => ({ id, guest: "nobody" })) } });
  const most = { ofAll: 0, ofOne: 0 };
  const running: unknown[] = [];
  let delay = 2 * SEATS;
  const byKeys: Store["byKeys"] = async (query, context) => {
    const [key] = query.keys;
    running.push(key);
    most.ofAll = Math.max(most.ofAll, running.length);
    most.ofOne = Math.max(most.ofOne, running.filter((one) => one === key).length);
    await sleep(--delay);
    running.splice(running.indexOf(key), 1);
    return store.byKeys(query, context);
  };
  return { store: { ...store, byKeys }, most };
}

/** Returns what a subscriber receives while rows are written. */
async function watch(written: readonly { readonly id: number; readonly guest: string }[]) {
  const { store, most } = farStore();
  const api = defineApi({ resources: [seat], store });
  const changes = api.local.seat.watch();
  const found = [changes.next()];
  await api.transaction(async (local) => {
    for (const { id, guest } of written) await local.seat.update(id, { guest });
  });
  for (let count = 1; count < written.length; count++) found.push(changes.next());
  const items = (await Promise.all(found)).map(({ value }) => value?.item);
  await changes.return?.();
  return { items, most };
}

test("reads changes of different rows concurrently, and delivers them in order", async () => {
  const written = Array.from({ length: SEATS }, (_, id) => ({ id, guest: `guest ${id}` }));
  const { items, most } = await watch(written);
  expect(items).toEqual(written);
  expect(most.ofAll).toBe(32);
});

test("reads changes of one row one after the other", async () => {
  const { items, most } = await watch([1, 2, 1, 1, 3].map((id, index) => ({ id, guest: `guest ${index}` })));
  const now = { 1: "guest 3", 2: "guest 1", 3: "guest 4" } as const;
  expect(items).toEqual(([1, 2, 1, 1, 3] as const).map((id) => ({ id, guest: now[id] })));
  expect(most).toEqual({ ofAll: 2, ofOne: 1 });
});
