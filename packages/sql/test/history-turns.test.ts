import { allow, defineApi, defineResource, silentLog, type Store } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const BOOKS = 2_000;
/** Entries that one transaction deletes. */
const STEP = 500;

test("other requests run between the transactions that delete old history entries from SQLite", async () => {
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const book = defineResource("book", {
    fields: { id: z.int32() },
    access,
    bulk: { create: BOOKS },
    history: { keepFor: 1 },
  });
  const database = await servers.find(({ name }) => name === "sqlite")?.create();
  const url = database?.url ?? "";
  const open = (store: Store) => defineApi({ resources: [book], store, log: silentLog });
  const first = open(sqlStore({ url, autoCreate: true }));
  await first.local.book.createMany(Array.from({ length: BOOKS }, (_, n) => ({ id: n + 1 })));
  await first.close();
  await new Promise((resolve) => setTimeout(resolve, 1_100));

  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const turns: number[] = [];
  const inner = sqlStore({ url });
  const store = new Proxy(inner, {
    get(target, name) {
      if (name === "transaction") turns.push(turn);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  const second = open(store);
  await second.local.book.get(1);
  await expect.poll(() => turns.length).toBeGreaterThan(BOOKS / STEP);
  clearImmediate(counting);
  expect(new Set(turns).size).toBe(turns.length);
  await second.close();
  await database?.drop();
});
