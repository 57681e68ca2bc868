import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  BifocalError,
  defineApi,
  defineResource,
  functionStore,
  memoryStore,
  owner,
} from "../../src/index.ts";
import { ask, send } from "../request.ts";
import { AS_ANN, createLibrary } from "./library.ts";

const book = (id: number, more = {}): object => ({ id, title: `b${id}`, price: 1, ...more });

describe("POST with a list", () => {
  test("creates all rows", async () => {
    const api = createLibrary();
    const answer = await send(api, "POST", "/books?fields=id,revision", { body: [book(10), book(11)] });
    expect([answer.status, answer.body]).toEqual([
      201,
      [
        { id: 10, revision: 1 },
        { id: 11, revision: 1 },
      ],
    ]);
    const minimal = await send(api, "POST", "/books", { body: [book(12)], headers: { prefer: "return=minimal" } });
    expect([minimal.status, minimal.body]).toEqual([201, null]);
    const inside = await send(api, "POST", "/authors/1/books", { body: [book(13), book(14)] });
    expect(inside.body).toMatchObject([{ authorId: 1 }, { authorId: 1 }]);
  });

  test.each<[string, unknown[], number, object[]]>([
    [
      "bad ones",
      [book(10), book(11, { price: -1 }), { title: "" }],
      422,
      [{ path: [1, "price"] }, { path: [2, "id"] }, { path: [2, "title"] }, { path: [2, "price"] }],
    ],
    ["a taken key", [book(10), book(1)], 409, [{ path: [1, "id"], code: "not_unique" }]],
    ["the same row twice", [book(10), book(10)], 409, [{ path: [1, "id"] }]],
    ["an existing unique value", [book(10), book(11, { isbn: "1" })], 409, [{ path: [1, "isbn"] }]],
    ["a reference to a missing row", [book(10), book(11, { authorId: 99 })], 422, [{ path: [1, "authorId"] }]],
    ["values that aren't rows", [book(10), 5], 422, [{ path: [1] }]],
    ["none", [], 422, [{ code: "too_small" }]],
    ["too many", Array.from({ length: 6 }, (_, n) => book(20 + n)), 400, [{ code: "too_many" }]],
  ])("with %s creates none, and lists the errors of each row", async (_what, body, status, errors) => {
    const api = createLibrary();
    expect(await send(api, "POST", "/books", { body })).toMatchObject({ status, body: { errors } });
    expect((await send(api, "GET", "/books?count=true")).headers["Total-Count"]).toBe("3");
  });

  test("responds in JSON, and is rejected unless the resource enables it", async () => {
    const api = createLibrary();
    expect(
      (await send(api, "POST", "/books", { body: [book(10)], headers: { accept: "application/hal+json" } })).status,
    ).toBe(406);
    expect((await send(api, "GET", "/books/10")).status).toBe(404);
    expect((await send(api, "POST", "/authors", { body: [{ id: 5, name: "x" }] })).status).toBe(422);
  });
});

describe("PATCH and DELETE of a collection", () => {
  test("change all matching rows", async () => {
    const api = createLibrary();
    const seen: unknown[] = [];
    const changes = api.local.book.watch();
    const reading = (async () => {
      for await (const { kind, item } of changes) if (seen.push([kind, item.id]) === 4) break;
    })();
    const changed = await send(api, "PATCH", "/books?filter[price][gte]=5", { body: { price: 4 } });
    expect(changed).toMatchObject({ status: 200, body: { updated: 2, ids: [1, 2] } });
    const shown = await send(api, "PATCH", "/books?filter[id]=3&fields=id,price", {
      body: { price: 9 },
      headers: { prefer: "return=representation" },
    });
    expect(shown).toMatchObject({
      body: [{ id: 3, price: 9 }],
      headers: { "Preference-Applied": "return=representation" },
    });
    expect(
      (await send(api, "DELETE", "/books?filter[price]=4", { headers: { prefer: "return=minimal" } })).status,
    ).toBe(204);
    expect((await send(api, "GET", "/books")).body).toHaveLength(1);
    expect((await send(api, "DELETE", "/books?filter[price]=4")).body).toEqual({ deleted: 0, ids: [] });
    await changes.return?.();
    await reading;
    expect(seen.slice(0, 3)).toEqual([
      ["updated", 1],
      ["updated", 2],
      ["updated", 3],
    ]);
  });

  test.each<[string, string, string, unknown, number, object]>([
    ["no filter", "PATCH", "/books", { price: 1 }, 400, { path: ["filter"], code: "required" }],
    ["no filter", "DELETE", "/books", undefined, 400, { path: ["filter"], code: "required" }],
    [
      "a filter that matches all rows",
      "DELETE",
      "/books?filter[and][0][or][0][not][id][isNull]=true&filter[or][0][id][notIn]=99",
      undefined,
      200,
      {},
    ],
    ["a page", "PATCH", "/books?filter[id]=1&page[size]=1", { price: 1 }, 400, { path: ["page"] }],
    ["the key", "PATCH", "/books?filter[id]=1", { id: 4 }, 422, { path: ["id"], code: "not_unique" }],
    ["a bad value", "PATCH", "/books?filter[id]=1", { price: -1 }, 422, { path: ["price"] }],
    ["a unique value for two rows", "PATCH", "/books?filter[price][gte]=5", { words: ["a"] }, 200, {}],
    [
      "a field that isn't filterable",
      "DELETE",
      "/books?filter[authorId]=1",
      undefined,
      400,
      { path: ["filter", "authorId"] },
    ],
  ])("with %s: %s %s", async (_what, method, url, body, status, issue) => {
    const api = createLibrary();
    const answer = await send(api, method, url, { body });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(status === 200 ? {} : { errors: [issue] });
    const after = (await send(api, "GET", "/books")).body as { revision: number }[];
    expect(after.length === 3 && after.every(({ revision }) => revision === 1)).toBe(status !== 200);
  });

  test("are capped, and rejected if the resource doesn't enable them", async () => {
    const api = createLibrary();
    await send(api, "POST", "/books", { body: [book(10), book(11)] });
    expect(await send(api, "DELETE", "/books?filter[id][gte]=1")).toMatchObject({
      status: 400,
      body: { errors: [{ code: "too_many" }] },
    });
    expect((await send(api, "GET", "/books")).body).toHaveLength(5);
    expect((await send(api, "PATCH", "/authors?filter[name]=x", { body: {} })).status).toBe(405);
  });
});

describe("apply rules to each row", () => {
  const paper = defineResource("paper", {
    fields: { id: z.int32(), text: z.string(), ownerId: z.string(), secret: z.boolean() },
    access: {
      read: ({ principal }) => (principal === null ? { secret: { eq: false } } : true),
      create: owner("ownerId"),
      update: owner("ownerId"),
      delete: owner("ownerId"),
    },
    filterable: ["text", "ownerId"],
    bulk: { create: 9, update: 9, delete: 9 },
  });
  const make = () =>
    defineApi({
      resources: [paper],
      store: memoryStore({
        data: {
          paper: [
            { id: 1, text: "t", ownerId: "ann", secret: false },
            { id: 2, text: "t", ownerId: "ben", secret: false },
            { id: 3, text: "s", ownerId: "ann", secret: true },
          ],
        },
      }),
      auth: {
        challenge: "Bearer",
        schemes: {},
        authenticate: ({ headers }) => (headers["authorization"] === AS_ANN.authorization ? { id: "ann" } : null),
      },
    });

  test("reject all rows if one belongs to another caller", async () => {
    const api = make();
    for (const [method, body] of [
      ["PATCH", { text: "x" }],
      ["DELETE", undefined],
    ] as const) {
      expect((await send(api, method, "/papers?filter[text]=t", { body, headers: AS_ANN })).status).toBe(403);
      expect((await send(api, method, "/papers?filter[ownerId]=ben", { body, headers: AS_ANN })).status).toBe(403);
      expect((await send(api, method, "/papers?filter[text]=t", { body })).status).toBe(401);
    }
    const mixed = [
      { id: 5, text: "a", ownerId: "ann", secret: false },
      { id: 6, text: "b", ownerId: "ben", secret: false },
    ];
    expect(await send(api, "POST", "/papers", { body: mixed, headers: AS_ANN })).toMatchObject({
      status: 403,
      body: { errors: [{ path: [1] }] },
    });
    expect((await send(api, "GET", "/papers?count=true", { headers: AS_ANN })).headers["Total-Count"]).toBe("3");
    expect(
      (await send(api, "PATCH", "/papers?filter[ownerId]=ann", { body: { text: "mine" }, headers: AS_ANN })).body,
    ).toEqual({ updated: 2, ids: [1, 3] });
    expect(
      (await send(api, "PATCH", "/papers?filter[ownerId]=ann", { body: { ownerId: "ben" }, headers: AS_ANN })).status,
    ).toBe(403);
  });
});

test("work the same in GraphQL and local calls", async () => {
  const api = createLibrary();
  const created = await ask(
    api,
    'mutation { createBooks(input: [{ id: 10, title: "a", price: 1 }, { id: 11, title: "b", price: 1 }]) { id author { name } } }',
  );
  expect(created).toEqual({
    data: {
      createBooks: [
        { id: "10", author: null },
        { id: "11", author: null },
      ],
    },
  });
  const bad = await ask(
    api,
    'mutation { createBooks(input: [{ id: 12, title: "a", price: 1 }, { id: 13, title: "", price: 1 }]) { id } }',
  );
  expect(bad.errors?.[0]?.extensions).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ path: [1, "title"] }] });
  expect(
    await ask(api, "mutation { updateBooks(filter: { price: { eq: 1 } }, input: { price: 2 }) { count ids } }"),
  ).toEqual({
    data: { updateBooks: { count: 2, ids: ["10", "11"] } },
  });
  expect(await ask(api, "mutation { deleteBooks(filter: { price: { eq: 2 } }) { count } }")).toEqual({
    data: { deleteBooks: { count: 2 } },
  });
  expect((await ask(api, "mutation { deleteBooks(filter: {}) { count } }")).errors?.[0]?.extensions).toMatchObject({
    code: "BAD_REQUEST",
  });

  const { local } = api;
  const made = await local.book.createMany([{ id: 20, title: "x", price: 1, isbn: null, size: null, authorId: null }], {
    select: { id: true },
  });
  expect(made).toEqual([{ id: 20 }]);
  expect(await local.book.updateMany({ id: { eq: 20 } }, { price: 3 })).toEqual([20]);
  expect(await local.book.deleteMany({ id: { eq: 20 } })).toEqual([20]);
  await expect(local.book.deleteMany({})).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("are rejected on a store without transactions, which cannot promise all or none", () => {
  const thing = defineResource("thing", {
    fields: { id: z.int32() },
    access: { read: allow, create: allow, update: allow, delete: allow },
    bulk: { create: 5 },
  });
  const stores = { thing: functionStore({ thing: { list: () => [], create: (row) => row } }) };
  expect(() => defineApi({ resources: [thing], stores })).toThrow(/no transactions/);
});

test("reject changes of parts of objects", async () => {
  const api = createLibrary();
  const change = (size: unknown) => send(api, "PATCH", "/books?filter[id]=1", { body: { size } });
  expect(await change({ height: 9 })).toMatchObject({
    status: 422,
    body: { errors: [{ path: ["size"], code: "not_mergeable" }] },
  });
  expect((await change(null)).status).toBe(200);
});

test("delete rows that reference each other in a cycle, with the hooks of each row", async () => {
  const calls: string[] = [];
  let kept: number | undefined;
  const node = defineResource("node", {
    fields: { id: z.int32(), nextId: z.int32().nullable() },
    relations: { next: belongsTo("node", "nextId", { onDelete: "restrict" }) },
    access: { read: allow, create: allow, update: allow, delete: allow },
    filterable: ["id"],
    bulk: { delete: 3 },
    hooks: {
      delete: {
        before: ({ item }) => {
          calls.push(`before ${item.id}`);
          if (item.id === kept) throw new BifocalError("CONFLICT", "It stays.");
        },
        after: ({ item }) => void calls.push(`after ${item.id}`),
      },
    },
  });
  const rows = [
    { id: 1, nextId: 2 },
    { id: 2, nextId: 1 },
  ];
  const api = defineApi({ resources: [node], store: memoryStore({ data: { node: rows } }) });
  for (kept of [1, 2]) {
    expect((await send(api, "DELETE", "/nodes?filter[id][lt]=9")).status).toBe(409);
    expect((await send(api, "GET", "/nodes")).body).toEqual(rows);
  }
  kept = undefined;
  calls.length = 0;
  expect(await send(api, "DELETE", "/nodes?filter[id][lt]=9")).toMatchObject({ status: 200, body: { ids: [1, 2] } });
  expect(calls.toSorted()).toEqual(["after 1", "after 2", "before 1", "before 2"]);
  expect((await send(api, "GET", "/nodes")).body).toEqual([]);
});
