import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, memoryStore, sequence, silentLog } from "../../src/index.ts";
import { fillStore } from "../../src/store-driver.ts";
import { send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

test("waits no longer than the timeout for code that never settles, and holds no resources", async () => {
  const never = new Promise<never>(() => {});
  const job = defineResource("job", {
    fields: { id: z.int32(), state: z.string() },
    access,
    hooks: { update: { after: ({ item }) => (item.state === "stuck" ? never : undefined) } },
    actions: { hang: { on: "item", access: allow, run: () => never } },
  });
  const rows = [1, 2].map((id) => ({ id, state: "new" }));
  const api = defineApi({
    resources: [job],
    store: memoryStore({ data: { job: rows } }),
    log: silentLog,
    limits: { query: { timeout: 300 } },
  });
  const patch = (state: string) => send(api, "PATCH", "/jobs/1", { body: { state } });
  expect((await patch("stuck")).status).toBe(504);
  expect((await send(api, "POST", "/jobs/2/hang")).status).toBe(504);
  await expect(api.transaction(() => never)).rejects.toMatchObject({ code: "TIMEOUT" });
  expect(await patch("done")).toMatchObject({ status: 200, body: { id: 1, state: "done" } });
  await api.close();
});

test("writes nothing after the caller has received a timeout", async () => {
  const slow = defineResource("slow", {
    fields: { id: z.int32() },
    access,
    hooks: { create: { before: () => new Promise(() => {}) } },
  });
  const quick = defineResource("quick", { fields: { id: z.int32() }, access });
  const api = defineApi({
    resources: [slow, quick],
    store: memoryStore(),
    log: silentLog,
    limits: { query: { timeout: 300 } },
  });
  const before = send(api, "POST", "/slows", { body: { id: 1 } });
  const { status } = await send(api, "POST", "/quicks", { body: { id: 1 } });
  expect((await before).status).toBe(504);
  expect((await send(api, "GET", "/slows")).body).toEqual([]);
  // It would have run before its own deadline, or never.
  expect((await send(api, "GET", "/quicks")).body).toEqual(status === 504 ? [] : [{ id: 1 }]);
});

test("evaluates a rule along a relation only for the rows that it leads to, however many others exist", async () => {
  const author = defineResource("author", { fields: { id: z.int32(), isActive: z.boolean() }, access });
  const book = defineResource("book", {
    fields: { id: z.int32(), authorId: z.int32() },
    relations: { author: belongsTo("author", "authorId") },
    access: {
      ...access,
      read: () => ({ author: { isActive: { eq: true } } }),
      create: () => ({ author: { isActive: { eq: true } } }),
    },
  });
  const authors = Array.from({ length: 10_002 }, (_, id) => ({ id, isActive: id !== 1 }));
  const api = defineApi({
    resources: [author, book],
    store: memoryStore({ data: { author: authors } }),
    log: silentLog,
  });
  const create = async (authorId: number) =>
    (await send(api, "POST", "/books", { body: { id: authorId, authorId } })).status;
  expect([await create(2), await create(1)]).toEqual([201, 401]);
  expect(await send(api, "PATCH", "/books/2", { body: { authorId: 3 } })).toMatchObject({ status: 200 });
});

test("rejects text in writes of an action that a store cannot keep", async () => {
  const post = defineResource("post", {
    fields: { id: z.int32(), tags: z.array(z.string()) },
    access,
    actions: {
      tag: {
        on: "item",
        input: z.object({ tag: z.string() }),
        access: allow,
        run: ({ item, input, store }) => store.update(item.id, { tags: [...item.tags, input.tag] }),
      },
      spoil: { on: "item", access: allow, run: ({ item, store }) => store.update(item.id, { tags: ["\0"] }) },
    },
  });
  const store = memoryStore({ data: { post: [{ id: 1, tags: [] }] } });
  const api = defineApi({ resources: [post], store, log: silentLog });
  for (const tag of ["x\0", "\ud800"]) {
    expect(await send(api, "POST", "/posts/1/tag", { body: { tag } })).toMatchObject({
      status: 422,
      body: { errors: [{ code: "invalid_text" }] },
    });
  }
  expect((await send(api, "POST", "/posts/1/spoil")).status).toBe(500);
  expect((await send(api, "GET", "/posts/1")).body).toEqual({ id: 1, tags: [] });
});

test("a sequence continues after numbers that were set explicitly", async () => {
  const ticket = defineResource("ticket", {
    fields: { id: z.int(), text: z.string() },
    generated: { id: sequence() },
    access,
    upsert: true,
  });
  const store = memoryStore();
  const api = defineApi({ resources: [ticket], store, log: silentLog });
  const rows = [1, 2].map((id) => ({ id, text: "a" }));
  await fillStore(store, api.model, { ticket: rows });
  const create = async () => (await send(api, "POST", "/tickets", { body: { text: "c" } })).headers["Location"];
  expect(await create()).toBe("/tickets/3");
  await send(api, "PUT", "/tickets/7", { body: { text: "d" } });
  expect(await create()).toBe("/tickets/8");
});
