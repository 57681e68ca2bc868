import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  functionStore,
  hasRole,
  memoryStore,
  anyOf,
  owner,
  silentLog,
  through,
} from "../../src/index.ts";
import { send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const shop = defineResource("shop", { fields: { id: z.int32(), ownerId: z.string() }, access });
const book = defineResource("book", {
  fields: { id: z.int32(), ownerId: z.string(), price: z.number(), shopId: z.int32().nullable().default(null) },
  relations: { shop: belongsTo("shop", "shopId") },
  access: {
    ...access,
    fields: {
      // Only the owner can set it, to at least 1.
      price: {
        write: anyOf(hasRole("admin"), ({ principal }) => ({ ownerId: { eq: principal?.id }, price: { gte: 1 } })),
      },
      shopId: { write: through("shop", owner("ownerId")) },
    },
  },
  bulk: { create: 9, update: 9 },
  filterable: ["id"],
});
const data = {
  shop: [
    { id: 1, ownerId: "ann" },
    { id: 2, ownerId: "ben" },
  ],
  book: [
    { id: 1, ownerId: "ann", price: 5, shopId: 1 },
    { id: 2, ownerId: "ben", price: 5, shopId: null },
    { id: 3, ownerId: "ann", price: 0, shopId: null },
  ],
};
const start = () => defineApi({ resources: [shop, book], store: memoryStore({ data }), log: silentLog });
const ann = { id: "ann" };

test.each<[string, number, object, boolean]>([
  ["a field with a rule about rows, of the caller's own row", 1, { price: 9 }, true],
  ["the same field of another caller's row", 2, { price: 9 }, false],
  ["a value that the rule denies", 1, { price: 0 }, false],
  ["a row that doesn't match the rule before the change", 3, { price: 5 }, false],
  ["another field of the same row", 2, { ownerId: "cy" }, true],
  ["a change together with another one that violates the rule", 1, { price: 9, ownerId: "ben" }, false],
  ["a reference to another caller's row", 1, { shopId: 2 }, false],
  ["a reference to another owner", 1, { shopId: null }, false],
])("decides on a change: %s", async (_, id, changes, isAllowed) => {
  const api = start();
  const change = api
    .as(ann)
    .book.update(id, changes)
    .then(
      () => "done",
      (thrown: { code: string }) => thrown.code,
    );
  expect(await change).toBe(isAllowed ? "done" : "FORBIDDEN");
  const expected = data.book.find((row) => row.id === id);
  expect(await api.local.book.get(id)).toEqual(isAllowed ? { ...expected, ...changes } : expected);
});

test("checks rules against the new row, for one create or many", async () => {
  const { book: books } = start().as(ann);
  await expect(books.create({ id: 7, ownerId: "ben", price: 5 })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(
    books.createMany([
      { id: 7, ownerId: "ann", price: 5 },
      { id: 8, ownerId: "ann", price: 0 },
    ]),
  ).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await books.get(7)).toBeNull();
  expect(await books.create({ id: 7, ownerId: "ann", price: 1 })).toMatchObject({ id: 7 });
  // One forbidden row of a bulk write rejects all of them.
  await expect(books.updateMany({ id: { lte: 2 } }, { price: 8 })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await books.get(1)).toMatchObject({ price: 5 });
});

test("returns the writable fields of a given row to formats", async () => {
  const api = start();
  const ask = async (key?: number) => {
    const asked = { kind: "permissions", resource: "book", ...(key === undefined ? {} : { key }) } as const;
    const outcome = await api.run(asked, { principal: ann, signal: undefined, requestId: () => "r" });
    return outcome.kind === "permissions" ? outcome.unwritable : outcome.kind;
  };
  expect(await ask(1)).toEqual([]);
  expect(await ask(2)).toEqual(["price", "shopId"]);
  expect(await ask()).toEqual([]);
});

test("checks a rule along a relation before the write if the store cannot roll back", async () => {
  const offer = defineResource("offer", {
    fields: { id: z.int32(), shopId: z.int32() },
    relations: { shop: belongsTo("shop", "shopId") },
    access: { ...access, update: through("shop", owner("ownerId")) },
  });
  const calls: unknown[] = [];
  const kept = functionStore({
    offer: {
      list: () => [{ id: 1, shopId: 1 }],
      update: (id, changes) => {
        calls.push([id, changes]);
        return { id: 1, shopId: 1, ...changes };
      },
    },
  });
  const resources = [shop, offer] as const;
  const api = defineApi({
    resources,
    store: memoryStore({ data: { shop: data.shop } }),
    stores: { offer: kept },
    log: silentLog,
  });
  await expect(api.as(ann).offer.update(1, { shopId: 2 })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(calls).toEqual([]);
  expect(await api.as(ann).offer.update(1, { shopId: 1 })).toEqual({ id: 1, shopId: 1 });
  await expect(api.as({ id: "ben" }).offer.update(1, { shopId: 2 })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(calls).toEqual([[1, { shopId: 1 }]]);
});

test("treats a hidden row as missing on a store that cannot roll back", async () => {
  const offer = defineResource("offer", {
    fields: { id: z.int32(), shopId: z.int32() },
    relations: { shop: belongsTo("shop", "shopId") },
    access: {
      ...access,
      read: ({ principal }) => principal !== null || { id: { lt: 2 } },
      update: through("shop", owner("ownerId")),
    },
  });
  const rows = [1, 2].map((id) => ({ id, shopId: 1 }));
  const api = defineApi({
    resources: [shop, offer],
    store: memoryStore({ data: { shop: data.shop } }),
    stores: { offer: functionStore({ offer: { list: () => rows, update: (id, set) => ({ id, shopId: 1, ...set }) } }) },
    log: silentLog,
  });
  const patch = async (id: number, headers = {}) => {
    const { status, body } = await send(api, "PATCH", `/offers/${id}`, { body: { shopId: 1 }, headers });
    return [status, (body as { detail: string }).detail];
  };
  const [none] = await patch(99);
  expect([none, (await patch(2))[0]]).toEqual([401, 401]);
  expect((await patch(2))[1]).toBe((await patch(99))[1]);
  // For a visible row, the update rule rejects the write, whatever version was given.
  expect((await patch(1))[0]).toBe(401);
  await expect(api.as(ann).offer.update(1, { shopId: 1 }, { ifMatch: "another" })).rejects.toMatchObject({
    code: "PRECONDITION_FAILED",
  });
});

test("changes the ETag of a list when it has other rows, however often each row was written", async () => {
  const sheet = defineResource("sheet", { fields: { id: z.int32(), rev: z.int() }, access, version: "rev" });
  const api = defineApi({
    resources: [sheet],
    store: memoryStore({ data: { sheet: [{ id: 1, rev: 1 }] } }),
    log: silentLog,
  });
  const tag = async () => (await send(api, "GET", "/sheets")).headers["ETag"];
  const before = await tag();
  await api.as(asSystem("other rows")).sheet.delete(1);
  await api.local.sheet.create({ id: 2 });
  expect(await tag()).not.toBe(before);
});
