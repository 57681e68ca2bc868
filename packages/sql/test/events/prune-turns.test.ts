import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const BOOKS = 10_000;
/** Changes that one step deletes. */
const STEP = 2_000;

test("other requests run between the steps that delete old changes from SQLite", async () => {
  const access = { read: allow, create: allow, update: allow, delete: allow };
  const book = defineResource("book", { fields: { id: z.int32() }, access, bulk: { create: BOOKS } });
  const store = sqlStore({ url: "sqlite::memory:", autoCreate: true, events: { most: 0 } });
  const limits = { query: { cost: 2 * BOOKS } };
  const api = defineApi({ resources: [book], store, limits, log: silentLog });
  await api.local.book.createMany(Array.from({ length: BOOKS }, (_, n) => ({ id: n + 1 })));
  await store.changeLog?.advance();
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  await store.changeLog?.prune();
  clearImmediate(counting);
  expect(turns).toBeGreaterThanOrEqual(BOOKS / STEP - 1);
  await api.close();
});
