import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { allow, asSystem, defineApi, defineResource, deny, owner, silentLog } from "../src/index.ts";
import { ask, send } from "./request.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), ownerId: z.string(), title: z.string() },
  access: { read: owner("ownerId"), create: allow, update: allow, delete: deny },
  upsert: true,
  bulk: { create: 9, update: 9 },
  filterable: ["id"],
  actions: {
    give: {
      on: "item",
      input: z.string(),
      access: allow,
      run: async ({ item, input, store }) => store.update(item.id, { ownerId: input }),
    },
    burn: { on: "item", access: allow, run: async ({ item, store }) => store.delete(item.id) },
    audit: { on: "collection", access: allow, run: () => null },
  },
});
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

function start() {
  const auth = { challenge: "Bearer", schemes: {}, authenticate: () => ({ id: "ann" }) };
  const api = defineApi({ resources: [book, author], log: silentLog, auth });
  return { api, books: api.as({ id: "ann" }).book, all: api.as(asSystem("the test compares")).book };
}
const row = { id: 1, ownerId: "ann", title: "Emma" };
const hidden = { id: 2, ownerId: "ben", title: "Emma" };

test("a write returns null if it succeeded and its row is hidden, like the empty responses of both styles", async () => {
  const { api, books, all } = start();
  expect(await books.create(row)).toEqual(row);
  const rest = await send(api, "POST", "/books", { body: { ...hidden, id: 3 } });
  expect(rest).toMatchObject({ status: 201, body: null });
  const input = `{ id: 4, ownerId: "ben", title: "Emma" }`;
  expect(await ask(api, `mutation { createBook(input: ${input}) { title } }`)).toEqual({ data: { createBook: null } });
  expect(await books.create(hidden)).toBeNull();
  expect(await all.get(2)).toEqual(hidden);
  expect(await books.update(1, { ownerId: "ben" })).toBeNull();
  expect(await all.get(1)).toMatchObject({ ownerId: "ben" });
  await books.create({ ...row, id: 5 });
  expect(await books.replace(5, { ...row, id: 5, ownerId: "ben" })).toBeNull();
  expect(await books.replace(6, { ...hidden, id: 6 })).toBeNull();
  expect(
    await books.createMany([
      { ...row, id: 7 },
      { ...hidden, id: 8 },
    ]),
  ).toEqual([{ ...row, id: 7 }, null]);
  expect((await all.list()).items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("an action on a row returns null if the row is hidden or deleted afterwards", async () => {
  const { books } = start();
  await books.createMany([row, { ...row, id: 2 }]);
  expect(await books.actions.give(1, "ben")).toBeNull();
  expect(await books.actions.give(2, "ann")).toEqual({ ...row, id: 2 });
  expect(await books.actions.burn(2)).toBeNull();
  expect(await books.actions.audit()).toBeUndefined();
});

test("a transaction commits a write whose row is hidden", async () => {
  const { api, all } = start();
  await api.transaction((local) => local.book.create(hidden), { principal: { id: "ann" } });
  expect(await all.get(2)).toEqual(hidden);
});

test("only writes to resources with a conditional read rule can return null", async () => {
  const { api, books, all } = start();
  type Book = { id: number; ownerId: string; title: string };
  expectTypeOf(await books.create(row)).toEqualTypeOf<Book | null>();
  expectTypeOf(await books.createMany([{ ...row, id: 2 }])).toEqualTypeOf<(Book | null)[]>();
  expectTypeOf(await all.create({ ...row, id: 3 })).toEqualTypeOf<Book>();
  expectTypeOf(await books.create({ ...row, id: 4 }, { select: { title: true } })).toEqualTypeOf<{
    title: string;
  } | null>();
  const made = await api.local.author.create({ id: 1, name: "Jane" });
  expectTypeOf(made).toEqualTypeOf<{ id: number; name: string }>();
  expect(made).toEqual({ id: 1, name: "Jane" });
});
