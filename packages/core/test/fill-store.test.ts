import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, manyToMany, memoryStore } from "../src/index.ts";
import { fillStore, type FillProgress } from "../src/store-driver.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const tag = defineResource("tag", { fields: { id: z.int32() }, access });
const book = defineResource("book", {
  fields: { id: z.int32() },
  relations: { tags: manyToMany("tag", { through: "bookTag", from: "bookId", to: "tagId" }) },
  access,
});

const idsTo = (last: number) => Array.from({ length: last }, (_, at) => ({ id: at + 1 }));

test("reports its progress after each 5,000 rows, and inserts all of them", async () => {
  const store = memoryStore();
  const api = defineApi({ resources: [tag, book], store });
  await api.ready;
  const reported: FillProgress[] = [];
  const data = { tag: idsTo(2), book: idsTo(12_000), bookTag: [{ bookId: 7, tagId: 2 }] };
  expect(await fillStore(store, api.model, data, { onProgress: (progress) => reported.push(progress) })).toBe(true);
  expect(reported).toEqual([
    { name: "tag", inserted: 2, total: 2 },
    { name: "book", inserted: 5_000, total: 12_000 },
    { name: "book", inserted: 10_000, total: 12_000 },
    { name: "book", inserted: 12_000, total: 12_000 },
    { name: "bookTag", inserted: 1, total: 1 },
  ]);
  expect(await api.local.book.get(12_000)).toEqual({ id: 12_000 });
  reported.length = 0;
  expect(await fillStore(store, api.model, data, { onProgress: (progress) => reported.push(progress) })).toBe(false);
  expect(reported).toEqual([]);
});
