import { allow, defineApi, defineResource, manyToMany, silentLog } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore, type SqlStoreOptions } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const tag = defineResource("tag", { fields: { id: z.int32() }, access });
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), pages: z.int32() },
  relations: { tags: manyToMany("tag", { through: "bookTag" }) },
  access,
});

test.each([
  [{ tables: { boook: {} } }, "sqlStore.tables.boook: Unknown resource 'boook'.\n    Did you mean 'book'?"],
  [{ tables: { book: { colums: {} } } }, "tables.book.colums: Unknown option 'colums'.\n    Did you mean 'columns'?"],
  [{ tables: { book: { columns: { titel: "t" } } } }, "Unknown field 'titel'.\n    Did you mean 'title'?"],
  [{ tables: { book: { trigrams: ["pages"] } } }, "sqlStore.tables.book.trigrams: 'pages' isn't a text field."],
  [{ links: { bookTags: {} } }, "sqlStore.links.bookTags: Unknown link table 'bookTags'.\n    Did you mean 'bookTag'?"],
  [{ links: { bookTag: { columns: { author: "a" } } } }, "Unknown field 'author'.\n    Available: bookId, tagId."],
  [{ tables: { a1: {}, b2: {} } }, "2 mistakes in the definition"],
])("defineApi rejects the options %j of a store instead of opening it again and again", (options, message) => {
  const store = sqlStore({ url: ":memory:", ...(options as Partial<SqlStoreOptions>) });
  expect(() => defineApi({ resources: [book, tag], store, log: silentLog })).toThrow(message);
});

test("defineApi rejects a store that another API uses", async () => {
  const store = sqlStore(":memory:");
  const define = () => defineApi({ resources: [book, tag], store, log: silentLog });
  const api = define();
  await api.ready;
  expect(define).toThrow("store: Another API already uses this store.\n    Create another sqlStore().");
  await api.close();
});
