import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  owner,
  silentLog,
  through,
} from "../../src/index.ts";
import { send } from "../request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
/** The hooks that ran. */
const calls: string[] = [];
/** Returned by the next `before` hook. */
let returned: Record<string, unknown> | undefined;
beforeEach(() => {
  calls.length = 0;
  returned = undefined;
});
const note = (what: string) => (): Record<string, unknown> | undefined => {
  calls.push(what);
  return returned;
};

const mine = owner("tenant");
const author = defineResource("author", {
  fields: { id: z.int32(), tenant: z.string(), name: z.string().default("?") },
  relations: { books: hasMany("book", "authorId", { creates: 5 }) },
  access: { read: mine, create: mine, update: mine, delete: mine },
  filterable: ["id"],
  hooks: { create: { before: note("author create") } },
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    authorId: z.int32(),
    price: z.int32().default(1),
    code: z.string().nullable().default(null),
    sequelOf: z.int32().nullable().default(null),
  },
  internal: ["code"],
  relations: {
    author: belongsTo("author", "authorId"),
    original: belongsTo("book", "sequelOf"),
    labels: manyToMany("label"),
  },
  access: {
    read: through("author", mine),
    create: ({ principal, input }) =>
      principal !== null &&
      Number(input?.["price"] ?? 0) < 100 && {
        author: { tenant: { eq: principal.id } },
        or: [{ code: { eq: "ok" } }, { code: { eq: null } }],
      },
    update: through("author", mine),
    delete: through("author", mine),
    fields: { price: { write: ({ input }) => Number(input?.["price"]) !== 13 } },
  },
  filterable: ["id"],
  upsert: true,
  bulk: { create: 9, update: 9, delete: 9 },
  hooks: {
    create: { before: note("create") },
    update: { before: note("update") },
    delete: { before: note("delete") },
    link: { before: note("link") },
  },
});
const label = defineResource("label", {
  fields: { id: z.int32(), tenant: z.string() },
  relations: { books: manyToMany("book") },
  access: { ...open, relations: { books: { link: mine } } },
});

function start(tenant: string | null = "ann") {
  const data = {
    author: [
      { id: 1, tenant: "ann", name: "Ann" },
      { id: 2, tenant: "ben", name: "Ben" },
    ],
    book: [
      { id: 1, authorId: 1, price: 1, code: null, sequelOf: null },
      { id: 2, authorId: 1, price: 1, code: null, sequelOf: null },
      { id: 3, authorId: 2, price: 1, code: null, sequelOf: null },
    ],
    label: [
      { id: 1, tenant: "ann" },
      { id: 2, tenant: "ben" },
    ],
  };
  const principal = tenant === null ? null : { id: tenant };
  const auth = { challenge: "Bearer", schemes: {}, authenticate: () => principal };
  const api = defineApi({ resources: [author, book, label], store: memoryStore({ data }), log: silentLog, auth });
  return { api, local: api.as(principal) };
}

const forbidden = { code: "FORBIDDEN" };
const invalid = { code: "VALIDATION_FAILED" };

test("run no hook for a create that the rules reject", async () => {
  const { api, local } = start();
  const post = async (body: object) => (await send(api, "POST", "/authors", { body })).status;
  expect(await post({ id: 7, tenant: "ben" })).toBe(403);
  await expect(local.author.create({ id: 7, tenant: "ben" })).rejects.toMatchObject(forbidden);
  await expect(start(null).local.author.create({ id: 7, tenant: "ben" })).rejects.toMatchObject({
    code: "UNAUTHENTICATED",
  });
  expect(calls).toEqual([]);
  expect(await post({ id: 7, tenant: "ann" })).toBe(201);
  expect(calls).toEqual(["author create"]);
});

test("run no hook for a create that references a hidden row, with the same error as for a missing one", async () => {
  const { api } = start();
  const post = async (authorId: number) => send(api, "POST", "/books", { body: { id: 7, authorId } });
  const [hidden, missing] = [await post(2), await post(99)];
  expect(hidden.status).toBe(422);
  expect(missing.body).toEqual(hidden.body);
  expect(calls).toEqual([]);
});

test("decide again for what the hook returns", async () => {
  const { local } = start();
  const create = async () => local.book.create({ id: 7, authorId: 1 });
  returned = { id: 7, authorId: 2 };
  await expect(create()).rejects.toMatchObject(invalid);
  returned = { id: 7, authorId: 1, price: 100 };
  await expect(create()).rejects.toMatchObject(forbidden);
  returned = { id: 7, authorId: 1, code: "other" };
  await expect(create()).rejects.toMatchObject(forbidden);
  // No caller can set an internal field, so it doesn't decide before the hook.
  returned = { id: 7, authorId: 1, code: "ok" };
  expect(await create()).toMatchObject({ id: 7 });
  expect(calls).toHaveLength(4);
});

test("decide all rows of a batch before the first hook", async () => {
  const { local } = start();
  const ok = { id: 7, authorId: 1 };
  await expect(local.book.createMany([ok, { id: 8, authorId: 2 }])).rejects.toMatchObject({
    ...invalid,
    issues: [{ path: [1, "authorId"] }],
  });
  await expect(local.book.createMany([ok, { ...ok, id: 8, price: 13 }])).rejects.toMatchObject(forbidden);
  expect(calls).toEqual([]);
  // A row may reference another row of the batch.
  await local.book.createMany([ok, { id: 8, authorId: 1, sequelOf: 7 }]);
  expect(calls).toEqual(["create", "create"]);
});

test("decide nested rows before the hook of their parent", async () => {
  const { local } = start();
  const create = async (...books: { id: number; price?: number; sequelOf?: number }[]) =>
    local.author.create({ id: 7, tenant: "ann", books });
  await expect(create({ id: 7 }, { id: 8, sequelOf: 3 })).rejects.toMatchObject({
    ...invalid,
    issues: [{ path: ["books", 1, "sequelOf"] }],
  });
  await expect(create({ id: 7, price: 13 })).rejects.toMatchObject(forbidden);
  await expect(local.author.create({ id: 7, tenant: "ben", books: [{ id: 7 }] })).rejects.toMatchObject(forbidden);
  expect(calls).toEqual([]);
  await create({ id: 7 }, { id: 8, sequelOf: 7 });
  expect(calls).toEqual(["author create", "create", "create"]);
});

test("decide a PUT that creates, and decide again after its hook", async () => {
  const { api } = start();
  const put = async (authorId: number) =>
    (await send(api, "PUT", "/books/7", { body: { id: 7, authorId, price: 1, sequelOf: null } })).status;
  expect(await put(2)).toBe(422);
  expect(calls).toEqual([]);
  expect(await put(1)).toBe(201);
  returned = { authorId: 2 };
  expect(await put(1)).toBe(422);
  expect(calls).toEqual(["create", "update"]);
});

test("decide a change of rows before the hook, and again after it", async () => {
  const { api, local } = start();
  await expect(local.book.update(1, { authorId: 2 })).rejects.toMatchObject(invalid);
  await expect(local.book.update(3, { price: 2 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(local.book.updateMany({ id: { in: [1, 2] } }, { authorId: 2 })).rejects.toMatchObject(invalid);
  await expect(local.book.delete(3)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(calls).toEqual([]);
  returned = { authorId: 2 };
  await expect(local.book.update(1, { price: 2 })).rejects.toMatchObject(invalid);
  returned = undefined;
  await local.book.updateMany({ id: { in: [1, 2] } }, { price: 2 });
  expect(calls).toEqual(["update", "update", "update"]);
  expect((await send(api, "GET", "/books/1")).body).toMatchObject({ authorId: 1, price: 2 });
});

test("run no hook of a batch whose result one row wouldn't match", async () => {
  const ran: number[] = [];
  let slug: string | undefined;
  const page = defineResource("page", {
    fields: { id: z.int32(), tenant: z.string(), slug: z.string() },
    access: { ...open, update: () => ({ or: [{ tenant: { eq: "ann" } }, { slug: { eq: "draft" } }] }) },
    filterable: ["id"],
    bulk: { update: 9 },
    hooks: {
      update: {
        before: ({ item, input }) => {
          ran.push(item.id);
          return slug === undefined ? undefined : { ...input, slug };
        },
      },
    },
  });
  const data = {
    page: [
      { id: 1, tenant: "ann", slug: "draft" },
      { id: 2, tenant: "ben", slug: "draft" },
    ],
  };
  const { local } = defineApi({ resources: [page], store: memoryStore({ data }), log: silentLog });
  await expect(local.page.updateMany({ id: { in: [1, 2] } }, { slug: "out" })).rejects.toMatchObject(forbidden);
  await expect(local.page.update(2, { slug: "out" })).rejects.toMatchObject(forbidden);
  expect(ran).toEqual([]);
  slug = "out";
  await expect(local.page.update(2, { tenant: "cy" })).rejects.toMatchObject(forbidden);
  expect(ran).toEqual([2]);
  expect(await local.page.get(2)).toEqual(data.page[1]);
});

test("run no hook of a bulk deletion if the caller can't delete one of the rows", async () => {
  const ran: number[] = [];
  const page = defineResource("page", {
    fields: { id: z.int32(), tenant: z.string() },
    access: { ...open, delete: () => ({ tenant: { eq: "ann" } }) },
    filterable: ["id"],
    bulk: { delete: 9 },
    hooks: { delete: { before: ({ item }) => void ran.push(item.id) } },
  });
  const data = {
    page: [
      { id: 1, tenant: "ann" },
      { id: 2, tenant: "ben" },
    ],
  };
  const { local } = defineApi({ resources: [page], store: memoryStore({ data }), log: silentLog });
  await expect(local.page.deleteMany({ id: { in: [1, 2] } })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(ran).toEqual([]);
  await local.page.deleteMany({ id: { in: [1] } });
  expect(ran).toEqual([1]);
});

test("decide all targets of a link before the first hook", async () => {
  const { api } = start();
  const more = [2];
  const operation = { kind: "link", resource: "book", key: 1, relation: "labels", target: 1, more } as const;
  const caller = { principal: { id: "ann" }, signal: undefined, requestId: () => "1" };
  expect(await api.run(operation, caller)).toMatchObject({ kind: "failure", error: forbidden });
  expect(calls).toEqual([]);
});

test("don't decide a replay again", async () => {
  const { api } = start();
  const headers = { "idempotency-key": '"one"' };
  const post = async () => send(api, "POST", "/books", { body: { id: 7, authorId: 1 }, headers });
  expect((await post()).status).toBe(201);
  expect((await post()).status).toBe(201);
  expect(calls).toEqual(["create"]);
});
