import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  deny,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  type OnDelete,
  owner,
  sequence,
  signedIn,
  updatedNow,
} from "../../src/index.ts";
import { ask, send } from "../request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };

describe("deleting a row that others reference", () => {
  function shelf(onDelete: OnDelete) {
    const author = defineResource("author", {
      fields: { id: z.int32() },
      relations: { books: hasMany("book", "authorId") },
      access: open,
    });
    const book = defineResource("book", {
      fields: { id: z.int32(), authorId: z.int32().nullable() },
      relations: { author: belongsTo("author", "authorId", { onDelete }), tags: manyToMany("tag") },
      access: open,
    });
    const page = defineResource("page", {
      fields: { id: z.int32(), bookId: z.int32() },
      relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
      access: { ...open, delete: deny },
    });
    const tag = defineResource("tag", {
      fields: { id: z.int32() },
      relations: { books: manyToMany("book") },
      access: open,
    });
    return defineApi({
      resources: [author, book, page, tag],
      store: memoryStore({
        data: {
          author: [{ id: 1 }, { id: 2 }],
          book: [1, 2, 3].map((id) => ({ id, authorId: id === 3 ? 2 : 1 })),
          page: [1, 2, 3, 4].map((id) => ({ id, bookId: (id % 3) + 1 })),
          tag: [{ id: 1 }],
          book_tag: [
            { bookId: 1, tagId: 1 },
            { bookId: 3, tagId: 1 },
          ],
        },
      }),
    });
  }
  const counts = async (api: ReturnType<typeof shelf>): Promise<readonly (number | undefined)[]> => {
    const { author, book, page } = api.local;
    const pages = [
      await author.list({ count: true }),
      await book.list({ count: true }),
      await page.list({ count: true }),
    ];
    return pages.map(({ total }) => total);
  };

  test("restrict rejects the delete and names the referencing resource", async () => {
    const api = shelf("restrict");
    const { status, body } = await send(api, "DELETE", "/authors/1");
    expect({ status, body }).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect((body as { detail: string }).detail).toContain("book");
    expect(await counts(api)).toEqual([2, 3, 4]);
  });

  test("cascade deletes all levels and removes their links", async () => {
    const api = shelf("cascade");
    expect(await send(api, "DELETE", "/authors/1")).toMatchObject({ status: 200, body: { deleted: true, id: 1 } });
    expect(await counts(api)).toEqual([1, 1, 1]);
    const { data } = await ask(api, "{ tag(id: 1) { books { nodes { id } } } }");
    expect(data).toEqual({ tag: { books: { nodes: [{ id: "3" }] } } });
  });

  test("setNull clears the field, which is a separate update", async () => {
    const api = shelf("setNull");
    const changes = api.local.book.watch();
    const first = changes.next();
    await send(api, "DELETE", "/authors/2");
    expect((await first).value).toMatchObject({ kind: "updated", item: { id: 3, authorId: null } });
    await changes.return?.();
    expect(await counts(api)).toEqual([1, 3, 4]);
  });
});

describe("keys", () => {
  const seat = defineResource("seat", {
    key: ["row", "number"],
    fields: { row: z.string(), number: z.int32(), taken: z.boolean().default(false) },
    access: open,
  });
  const ticket = defineResource("ticket", {
    key: "number",
    fields: { number: z.int32(), holder: z.string(), changedAt: z.iso.datetime() },
    generated: { number: sequence(), changedAt: updatedNow() },
    access: open,
  });
  const api = defineApi({ resources: [seat, ticket] });

  test("can have several parts with any characters", async () => {
    for (const row of ["A", "a,b", "ä/ü?#%", " "]) {
      const created = await send(api, "POST", "/seats", { body: { row, number: 7 } });
      expect(created.status).toBe(201);
      const location = created.headers["Location"] as string;
      expect(await send(api, "GET", location)).toMatchObject({ status: 200, body: { row, number: 7, taken: false } });
      expect(await api.local.seat.get({ row, number: 7 })).toEqual({ row, number: 7, taken: false });
      const id = location.slice("/seats/".length);
      const { data } = await ask(api, `query ($id: ID!) { seat(id: $id) { id row number } }`, { body: { id } });
      expect(data).toEqual({ seat: { id, row, number: "7" } });
    }
    for (const id of ["A", "A,7,7", "A,x", ",7", "%", "A,7.0"])
      expect((await send(api, "GET", `/seats/${id}`)).status).toBe(404);
  });

  test("cannot be used for a second row", async () => {
    await send(api, "POST", "/seats", { body: { row: "Z", number: 1 } });
    const { status, body } = await send(api, "POST", "/seats", { body: { row: "Z", number: 1 } });
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", errors: [{ path: ["row"] }, { path: ["number"] }] },
    });
  });

  test("are counted by the store from 1, under concurrent requests", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(api, "POST", "/tickets", { body: { holder: `h${n}` } })),
    );
    const numbers = made.map(({ body }) => (body as { number: number }).number);
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(await send(api, "POST", "/tickets", { body: { holder: "x", number: 99 } })).toMatchObject({
      status: 422,
      body: { errors: [{ path: ["number"] }] },
    });
  });

  test("updatedNow sets a new time on every change", async () => {
    const { body } = await send(api, "POST", "/tickets", { body: { holder: "a" } });
    const { number, changedAt } = body as { number: number; changedAt: string };
    await new Promise((resolve) => setTimeout(resolve, 5));
    const after = await send(api, "PATCH", `/tickets/${number}`, { body: { holder: "b" } });
    expect((after.body as { changedAt: string }).changedAt > changedAt).toBe(true);
  });
});

describe("write rules", () => {
  const note = defineResource("note", {
    fields: { id: z.int32(), by: z.string(), text: z.string(), pinned: z.boolean().default(false) },
    access: {
      read: allow,
      create: ({ principal, input }) => principal !== null && input?.["by"] === principal.id,
      update: owner("by"),
      delete: owner("by"),
      fields: { pinned: { write: hasRole("admin") } },
    },
    actions: {
      shout: {
        on: "item",
        input: z.object({ times: z.int32().max(3) }),
        access: owner("by"),
        run: ({ item, input, store }) =>
          store.update(item.id, { text: item.text.toUpperCase() + "!".repeat(input.times) }),
      },
      swap: {
        on: "collection",
        access: signedIn,
        run: async ({ store }) => {
          await store.update(1, { text: "half" });
          throw new Error("and no further");
        },
      },
    },
  });
  const start = () =>
    defineApi({
      resources: [note],
      auth: apiKeys({ ann: { id: "ann" }, bob: { id: "bob" }, root: { id: "root", roles: ["admin"] } }),
      store: memoryStore({ data: { note: [{ id: 1, by: "ann", text: "a", pinned: false }] } }),
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
  const as = (key: string) => ({ headers: { "x-api-key": key } });

  test("can check the input", async () => {
    const api = start();
    const body = { id: 2, by: "ann", text: "b" };
    expect((await send(api, "POST", "/notes", { body })).status).toBe(401);
    expect((await send(api, "POST", "/notes", { body, ...as("bob") })).status).toBe(403);
    expect((await send(api, "POST", "/notes", { body, ...as("ann") })).status).toBe(201);
  });

  test("can return a row filter; other rows are FORBIDDEN if they are visible", async () => {
    const api = start();
    const body = { text: "mine" };
    expect((await send(api, "PATCH", "/notes/1", { body, ...as("bob") })).status).toBe(403);
    expect((await send(api, "DELETE", "/notes/1", as("bob"))).status).toBe(403);
    expect((await send(api, "PATCH", "/notes/9", { body, ...as("bob") })).status).toBe(404);
    expect((await send(api, "PATCH", "/notes/1", { body, ...as("ann") })).status).toBe(200);
  });

  test("reject a change after which the row doesn't match the rule", async () => {
    const api = start();
    const given = await send(api, "PATCH", "/notes/1", { body: { by: "bob" }, ...as("ann") });
    expect(given).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await api.local.note.get(1)).toMatchObject({ by: "ann" });
  });

  test("reject a field by name that the caller cannot write", async () => {
    const api = start();
    const { status, body } = await send(api, "PATCH", "/notes/1", { body: { pinned: true }, ...as("ann") });
    expect({ status, body }).toMatchObject({ status: 403, body: { errors: [{ path: ["pinned"] }] } });
    const graphql = await ask(api, "mutation { updateNote(id: 1, input: { pinned: true }) { id } }", as("ann"));
    expect(graphql.errors?.[0]?.extensions).toMatchObject({ code: "FORBIDDEN", errors: [{ path: ["pinned"] }] });
  });

  test("an action checks its input and its rule, and returns the row", async () => {
    const api = start();
    const bad = await send(api, "POST", "/notes/1/shout", { body: { times: 9 }, ...as("ann") });
    expect(bad).toMatchObject({ status: 422, body: { errors: [{ path: ["times"], code: "too_big" }] } });
    expect((await send(api, "POST", "/notes/1/shout", { body: { times: 2 }, ...as("bob") })).status).toBe(403);
    expect(await send(api, "POST", "/notes/1/shout", { body: { times: 2 }, ...as("ann") })).toMatchObject({
      status: 200,
      body: { text: "A!!" },
    });
  });

  test("I17: an action that fails halfway changes nothing and sends no event", async () => {
    const api = start();
    const changes = api.local.note.watch();
    const first = changes.next();
    expect((await send(api, "POST", "/notes/swap", as("bob"))).status).toBe(500);
    expect(await api.local.note.get(1)).toMatchObject({ text: "a" });
    await send(api, "PATCH", "/notes/1", { body: { text: "later" }, ...as("ann") });
    expect((await first).value).toMatchObject({ item: { text: "later" } });
    await changes.return?.();
  });

  test("lets one of several writers with the same ETag succeed", async () => {
    const api = start();
    const tag = (await send(api, "GET", "/notes/1")).headers["ETag"] as string;
    const headers = { "x-api-key": "ann", "if-match": tag };
    const answers = await Promise.all(
      ["x", "y", "z"].map((text) => send(api, "PATCH", "/notes/1", { body: { text }, headers })),
    );
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(["200", "412", "412"]);
  });
});
