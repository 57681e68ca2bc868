import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  owner,
} from "../../src/index.ts";
import { ask as answer, send } from "../request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const deletedAt = z.iso.datetime().nullable();
const admin = { id: "ada", roles: ["admin"] };

/** Authors and tags are removed for good, books and their reviews are kept. */
function library() {
  const author = defineResource("author", {
    fields: { id: z.int32(), name: z.string() },
    relations: { books: hasMany("book", "authorId") },
    access: open,
    filterable: ["name"],
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), isbn: z.string(), title: z.string(), authorId: z.int32().nullable(), deletedAt },
    relations: {
      author: belongsTo("author", "authorId"),
      reviews: hasMany("review", "bookId"),
      tags: manyToMany("tag"),
    },
    softDelete: "deletedAt",
    unique: ["isbn"],
    access: { ...open, deleted: hasRole("admin") },
    filterable: ["title", "isbn"],
    sortable: ["title"],
    groupable: ["title"],
    bulk: { create: 10, update: 10, delete: 10 },
  });
  const review = defineResource("review", {
    fields: { id: z.int32(), stars: z.int32(), bookId: z.int32(), deletedAt },
    relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
    softDelete: "deletedAt",
    access: { ...open, deleted: hasRole("admin") },
    filterable: ["stars"],
    sortable: ["stars"],
    aggregatable: ["stars"],
  });
  const tag = defineResource("tag", {
    fields: { id: z.int32(), name: z.string() },
    relations: { books: manyToMany("book") },
    access: open,
    filterable: ["name"],
  });
  return defineApi({
    resources: [author, book, review, tag],
    auth: apiKeys({ admin }),
    store: memoryStore({
      data: {
        author: [
          { id: 1, name: "Austen" },
          { id: 2, name: "Woolf" },
        ],
        book: [1, 2, 3].map((id) => ({ id, isbn: `isbn-${id}`, title: `Book ${id}`, authorId: id === 3 ? 2 : 1 })),
        review: [1, 2, 3, 4].map((id) => ({ id, stars: id, bookId: id < 3 ? 1 : id - 1 })),
        tag: [{ id: 1, name: "classic" }],
        book_tag: [
          { bookId: 1, tagId: 1 },
          { bookId: 2, tagId: 1 },
        ],
      },
    }),
  });
}
async function ask(api: Library, query: string, parts: Parameters<typeof answer>[2] = {}): Promise<unknown> {
  return (await answer(api, query, parts)).data;
}
type Library = ReturnType<typeof library>;
const ids = async (api: Library, resource: "book" | "review", options = {}): Promise<readonly number[]> =>
  (await api.as(admin)[resource].list(options)).items.map(({ id }) => id);

describe("a soft-deleted row", () => {
  test("disappears from lists, items, relations, filters and counts, and leaves its links", async () => {
    const api = library();
    expect((await send(api, "DELETE", "/books/1")).status).toBe(200);
    expect((await send(api, "GET", "/books/1")).status).toBe(404);
    expect((await send(api, "DELETE", "/books/1")).status).toBe(404);
    expect((await send(api, "PATCH", "/books/1", { body: { title: "x" } })).status).toBe(404);
    const list = await send(api, "GET", "/books?count=true&include=reviews,tags,author");
    expect(list.headers["Total-Count"]).toBe("2");
    expect((list.body as readonly { id: number }[]).map(({ id }) => id)).toEqual([2, 3]);
    expect(await ids(api, "review")).toEqual([3, 4]);
    const nested = await ask(
      api,
      "{ authors { nodes { id books { totalCount nodes { id } } } } tags { nodes { books { nodes { id } } } } }",
    );
    expect(nested).toEqual({
      authors: {
        nodes: [
          { id: "1", books: { totalCount: 1, nodes: [{ id: "2" }] } },
          { id: "2", books: { totalCount: 1, nodes: [{ id: "3" }] } },
        ],
      },
      tags: { nodes: [{ books: { nodes: [{ id: "2" }] } }] },
    });
    const some = await send(api, "GET", "/authors?filter[books][some][title]=Book%201");
    expect(some.body).toEqual([]);
    const every = await send(api, "GET", "/authors?filter[books][every][title]=Book%202&filter[name]=Austen");
    expect(every.body).toMatchObject([{ id: 1 }]);
    const none = await send(api, "GET", "/authors?filter[books][none][title]=Book%201&filter[name]=Austen");
    expect(none.body).toMatchObject([{ id: 1 }]);
  });

  test("is like a missing row for references and links", async () => {
    const api = library();
    await api.local.book.delete(1);
    const reference = await send(api, "POST", "/reviews", { body: { id: 9, stars: 1, bookId: 1 } });
    const missing = await send(api, "POST", "/reviews", { body: { id: 9, stars: 1, bookId: 77 } });
    expect({ ...reference, headers: {} }).toEqual({ ...missing, headers: {} });
    expect(reference.status).toBe(422);
    expect((await send(api, "PUT", "/tags/1/books/1")).status).toBe(404);
    const system = api.as(asSystem("check the references"));
    await expect(system.review.create({ id: 9, stars: 1, bookId: 1 })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  test("frees its unique values, and can't come back while they are used", async () => {
    const api = library();
    await api.local.book.delete(1);
    await api.local.book.create({ id: 9, isbn: "isbn-1", title: "Again", authorId: null });
    const { status, body } = await send(api, "POST", "/books/1/restore");
    expect({ status, body }).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    await api.local.book.delete(9);
    expect((await send(api, "POST", "/books/1/restore")).status).toBe(200);
    await expect(api.local.book.restore(9)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("isn't part of any aggregate", async () => {
    const api = library();
    await api.local.book.delete(1);
    expect((await send(api, "GET", "/reviews?aggregate=count,max.stars")).body).toMatchObject([
      { count: 2, max: { stars: 4 } },
    ]);
    expect((await send(api, "GET", "/books?aggregate=count&group=title")).body).toHaveLength(2);
  });

  test("keeps its key", async () => {
    const api = library();
    await api.local.book.delete(1);
    await expect(api.local.book.create({ id: 1, isbn: "x", title: "x", authorId: null })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  test("comes back with the rows of the same deletion only", async () => {
    const api = library();
    await api.local.review.delete(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await api.local.book.delete(1);
    expect(await ids(api, "review")).toEqual([3, 4]);
    expect(await api.local.book.restore(1)).toMatchObject({ id: 1, deletedAt: null });
    expect(await ids(api, "review")).toEqual([2, 3, 4]);
    const tags = await ask(api, "{ tags { nodes { books { nodes { id } } } } }");
    expect(tags).toEqual({ tags: { nodes: [{ books: { nodes: [{ id: "1" }, { id: "2" }] } }] } });
  });

  test("can't be restored before the row that it references", async () => {
    const api = library();
    await api.local.book.delete(1);
    await expect(api.local.review.restore(1)).rejects.toMatchObject({ code: "CONFLICT" });
    await api.local.book.restore(1);
    await expect(api.local.review.restore(1)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(api.local.book.restore(77)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("is restored by callers whom the rule allows, and others don't learn that it exists", async () => {
    const note = defineResource("note", {
      fields: { id: z.int32(), by: z.string(), deletedAt },
      softDelete: "deletedAt",
      access: { ...open, delete: owner("by"), deleted: hasRole("admin") },
    });
    const api = defineApi({ resources: [note], store: memoryStore({ data: { note: [{ id: 1, by: "ben" }] } }) });
    await api.as({ id: "ben" }).note.delete(1);
    const refusal = async (id: number, principal: { id: string; roles?: string[] }): Promise<unknown> =>
      api
        .as(principal)
        .note.restore(id)
        .catch(({ code, message }: Error & { code: string }) => [code, message]);
    const cleo = { id: "cleo" };
    expect(await refusal(1, cleo)).toEqual(await refusal(7, cleo));
    expect(await refusal(1, admin)).toEqual(["FORBIDDEN", "You are not allowed to restore this note."]);
    expect(await api.as({ id: "ben" }).note.restore(1)).toMatchObject({ id: 1 });
  });

  test("is deleted for good together with the row that it references", async () => {
    const api = library();
    await api.local.book.delete(3);
    await api.local.author.delete(2);
    expect(await ids(api, "book", { deleted: "with" })).toEqual([1, 2]);
    expect(await ids(api, "review", { deleted: "with" })).toEqual([1, 2, 3]);
    await expect(api.local.author.delete(1)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("deleted rows", () => {
  test("are returned to callers whom the rule allows", async () => {
    const api = library();
    await api.local.book.delete(1);
    expect(await ids(api, "book", { deleted: "only" })).toEqual([1]);
    expect(await ids(api, "book", { deleted: "with" })).toEqual([1, 2, 3]);
    expect(await ids(api, "review", { deleted: "only", sort: ["-stars"] })).toEqual([2, 1]);
    const headers = { "x-api-key": "admin" };
    const { body } = await send(api, "GET", "/books?deleted=only&include=reviews,author", { headers });
    expect(body).toMatchObject([{ id: 1, reviews: [], author: { id: 1 } }]);
    expect((await send(api, "GET", "/books/1?deleted=with", { headers })).status).toBe(200);
    expect((await send(api, "GET", "/books/2?deleted=only", { headers })).status).toBe(404);
    expect(await api.as(admin).book.get(1, { deleted: "only" })).toMatchObject({ id: 1 });
    const document =
      "{ books(deleted: ONLY) { nodes { id deletedAt } } book(id: 1, deleted: WITH) { title reviews { nodes { id } } } reviews(deleted: ONLY) { nodes { id book { id } } } }";
    expect(await ask(api, document, { headers })).toMatchObject({
      books: { nodes: [{ id: "1" }] },
      book: { title: "Book 1", reviews: { nodes: [] } },
      reviews: {
        nodes: [
          { id: "1", book: null },
          { id: "2", book: null },
        ],
      },
    });
  });

  test("are refused to all others", async () => {
    const api = library();
    await api.local.book.delete(1);
    for (const url of [
      "/books?deleted=only",
      "/books?deleted=with",
      "/books/1?deleted=with",
      "/books/2?deleted=with",
    ]) {
      expect((await send(api, "GET", url)).status).toBe(401);
    }
    const ben = api.as({ id: "ben" });
    await expect(ben.book.list({ deleted: "with" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(ben.book.get(1, { deleted: "with" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("need a valid parameter, and a resource with soft delete", async () => {
    const api = library();
    expect((await send(api, "GET", "/books?deleted=true")).status).toBe(400);
    expect((await send(api, "GET", "/authors?deleted=with")).status).toBe(400);
    expect((await send(api, "GET", "/authors/1/books?deleted=with")).status).toBe(400);
    expect((await send(api, "GET", "/books?deleted=only", { headers: { "x-api-key": "admin" } })).body).toEqual([]);
  });

  test("have cursors of their own", async () => {
    const api = library();
    for (const id of [1, 2]) await api.local.book.delete(id);
    const { book } = api.as(admin);
    const { endCursor } = await book.list({ deleted: "only", page: { size: 1 } });
    const after = endCursor as string;
    expect((await book.list({ deleted: "only", page: { size: 1, after } })).items).toMatchObject([{ id: 2 }]);
    await expect(book.list({ page: { size: 1, after } })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("subscribers", () => {
  test("see a deletion and a restored row", async () => {
    const api = library();
    const changes = api.local.review.watch({ filter: { stars: { lt: 3 } } });
    const next = async (): Promise<unknown> => {
      const { kind, item } = (await changes.next()).value as { kind: string; item: { id: number } };
      return [kind, item.id];
    };
    const first = next();
    await api.local.book.delete(1);
    expect([await first, await next()]).toEqual([
      ["deleted", 1],
      ["deleted", 2],
    ]);
    await api.local.book.restore(1);
    expect([await next(), await next()]).toEqual([
      ["created", 1],
      ["created", 2],
    ]);
    await changes.return?.();
  });
});

describe("definitions", () => {
  test("report mistakes at start", () => {
    const author = defineResource("author", {
      fields: { id: z.int32(), gone: z.string().nullable() },
      softDelete: "gone" as never,
      access: open,
      actions: { restore: { on: "item", access: allow, run: () => undefined } },
    });
    const book = defineResource("book", {
      fields: { id: z.int32(), authorId: z.int32() },
      relations: { author: belongsTo("author", "authorId", { onDelete: "cascade" }) },
      access: { ...open, deleted: allow },
    });
    const define = (): unknown => defineApi({ resources: [author, book], store: memoryStore() });
    for (const part of [
      "'gone' can't hold the time of a deletion",
      "'softDelete' adds an action with this name",
      "Deleting a author would delete its books for good",
      "Deletions remove the rows of this resource",
    ]) {
      expect(define).toThrow(part);
    }
  });

  test("keep the field out of inputs", async () => {
    const api = library();
    const { status } = await send(api, "PATCH", "/books/1", { body: { deletedAt: "2026-01-01T00:00:00.000Z" } });
    expect(status).toBe(422);
  });
});
