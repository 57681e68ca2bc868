import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, manyToMany, memoryStore } from "../../src/index.ts";
import { jsonApi } from "../../src/formats.ts";
import { send } from "../request.ts";
import { ask, TYPE } from "./json-api.ts";
import { AS_ANN, author, book, createLibrary, tag } from "./library.ts";

const AUTHOR = "/books/1/relationships/author";
const TAGS = "/books/1/relationships/tags";
const old = { type: "tags", id: "old" };
const fresh = { type: "tags", id: "new" };

type Library = ReturnType<typeof createLibrary>;

async function tags(api: Library, more = {}): Promise<unknown> {
  return ((await ask(api, "GET", TAGS, undefined, more)).body as { data: unknown }).data;
}

async function withTags(): Promise<Library> {
  const api = createLibrary();
  await send(api, "PUT", "/tags/new", { body: { slug: "new", name: "New", owner: null } });
  return api;
}

describe("relationship URLs (JSON:API 1.1 §8.2)", () => {
  test("return the identifier of a to-one relation, or null", async () => {
    const { status, type, body } = await ask(createLibrary(), "GET", AUTHOR);
    expect([status, type]).toEqual([200, TYPE]);
    expect(body).toEqual({
      jsonapi: { version: "1.1" },
      links: { self: AUTHOR, related: "/books/1/author" },
      data: { type: "authors", id: "1" },
    });
    expect((await ask(createLibrary(), "GET", "/books/3/relationships/author")).body).toMatchObject({ data: null });
  });

  test("exist in a copy of the format with another media type", async () => {
    const type = "application/vnd.library+json";
    const api = createLibrary({ formats: [jsonApi, { ...jsonApi, mediaType: type }] });
    expect((await send(api, "OPTIONS", AUTHOR)).headers).toMatchObject({ "Accept-Patch": `${TYPE}, ${type}` });
    const headers = { accept: type, "content-type": type };
    expect(await send(api, "GET", AUTHOR, { headers })).toMatchObject({
      headers: { "Content-Type": type },
      body: { data: { id: "1" } },
    });
    expect(await send(api, "PATCH", AUTHOR, { headers, body: { data: null } })).toMatchObject({ status: 204 });
    expect(await send(api, "GET", AUTHOR, { headers })).toMatchObject({ body: { data: null } });
    const { paths } = api.openapi("", "3.1", "all") as { paths: Readonly<Record<string, unknown>> };
    expect(JSON.stringify(paths["/books/{id}/relationships/author"])).toContain(type);
  });

  test("don't exist without JSON:API", async () => {
    const api = createLibrary({ formats: [] });
    expect(await send(api, "GET", AUTHOR)).toMatchObject({ status: 404 });
    expect(api.openapi("", "3.1", "all")).not.toHaveProperty(["paths", "/books/{id}/relationships/author"]);
  });

  test("list the accepted types in OPTIONS", async () => {
    const api = createLibrary();
    expect((await send(api, "OPTIONS", AUTHOR)).headers).toMatchObject({ "Accept-Patch": TYPE });
    expect((await send(api, "OPTIONS", TAGS)).headers).toMatchObject({ "Accept-Post": TYPE });
    expect((await send(api, "OPTIONS", "/books/1")).headers["Accept-Patch"]).toContain("application/json-patch+json");
  });

  test("return a page of identifiers for a to-many relation, with page links", async () => {
    const path = "/authors/1/relationships/books?sort=-id&page[size]=1&count=true";
    const { body } = await ask(createLibrary(), "GET", path);
    expect(body).toMatchObject({ data: [{ type: "books", id: "2" }], meta: { total: 2 }, links: { self: path } });
    const { next } = (body as { links: { next: string } }).links;
    expect((await ask(createLibrary({ secret: "s" }), "GET", next)).status).toBe(400);
    const api = createLibrary({ secret: "s" });
    const first = (await ask(api, "GET", path)).body as { links: { next: string } };
    expect((await ask(api, "GET", first.links.next)).body).toMatchObject({ data: [{ id: "1" }] });
  });

  test("return 304 for a matching ETag", async () => {
    const api = createLibrary();
    const headers = { accept: TYPE };
    const { headers: answered } = await send(api, "GET", AUTHOR, { headers });
    const etag = answered["ETag"] as string;
    expect((await send(api, "GET", AUTHOR, { headers: { ...headers, "if-none-match": etag } })).status).toBe(304);
  });

  test.each([
    ["a missing row", "/books/77/relationships/author", 404],
    ["an invalid id", "/books/x/relationships/author", 404],
    ["an unknown relation", "/books/1/relationships/publisher", 404],
    ["include", `${AUTHOR}?include=books`, 400],
    ["fields", `${TAGS}?fields[tags]=name`, 400],
  ])("%s: %s is %i", async (_what, path, status) => {
    expect((await ask(createLibrary(), "GET", path)).status).toBe(status);
  });

  test("omit hidden rows", async () => {
    const api = await withTags();
    const data = [{ type: "tags", id: "hidden" }, old];
    expect((await ask(api, "POST", TAGS, { data }, AS_ANN)).status).toBe(204);
    expect([await tags(api), await tags(api, AS_ANN)]).toEqual([[old], expect.arrayContaining(data)]);
  });

  test("return 406 in other formats, and 404 in an API without JSON:API", async () => {
    const plain = await send(createLibrary(), "GET", AUTHOR, { headers: { accept: "application/json" } });
    expect(plain).toMatchObject({ status: 406, body: { detail: expect.stringContaining(TYPE) } });
    expect((await send(createLibrary(), "GET", AUTHOR)).headers["Content-Type"]).toBe(TYPE);
    const bare = defineApi({ resources: [author, book, tag], store: memoryStore(), formats: [] });
    expect((await send(bare, "GET", AUTHOR)).status).toBe(404);
    expect(bare.routes.map(({ path }) => path)).not.toContain("/books/{id}/relationships/author");
  });

  test("leave the paths of a relation named relationships unchanged", async () => {
    const access = { read: allow, create: allow, update: allow, delete: allow };
    const fields = { id: z.int32() };
    const thing = defineResource("thing", { fields, access });
    const odd = defineResource("odd", { fields, access, relations: { relationships: manyToMany("thing") } });
    const api = defineApi({ resources: [thing, odd] });
    expect(api.routes.map(({ path }) => path)).toContain("/odds/{id}/relationships/{thingId}");
    expect(api.routes.map(({ path }) => path)).not.toContain("/odds/{id}/relationships/relationships");
  });
});

describe("changes at relationship URLs (JSON:API 1.1 §9.2)", () => {
  test("PATCH replaces or clears a to-one relation", async () => {
    const api = createLibrary();
    await send(api, "POST", "/authors", { body: { id: 2, name: "Leo", email: null } });
    expect((await ask(api, "PATCH", AUTHOR, { data: { type: "authors", id: "2" } })).status).toBe(204);
    expect((await send(api, "GET", "/books/1?fields=authorId")).body).toEqual({ authorId: 2 });
    expect((await ask(api, "PATCH", AUTHOR, { data: null })).status).toBe(204);
    expect((await send(api, "GET", "/books/1?fields=authorId")).body).toEqual({ authorId: null });
    expect((await ask(api, "PATCH", AUTHOR, { data: null }, { "if-match": '"99"' })).status).toBe(412);
  });

  test("POST adds and DELETE removes links, and both succeed if nothing changes", async () => {
    const api = await withTags();
    for (const data of [[old], [old, fresh], []]) expect((await ask(api, "POST", TAGS, { data })).status).toBe(204);
    expect(await tags(api)).toEqual([fresh, old]);
    for (const data of [[old], [old]]) expect((await ask(api, "DELETE", TAGS, { data })).status).toBe(204);
    expect(await tags(api)).toEqual([fresh]);
  });

  test("change all links or none", async () => {
    const api = await withTags();
    const data = [old, fresh, { type: "tags", id: "gone" }];
    expect((await ask(api, "POST", TAGS, { data })).status).toBe(404);
    expect(await tags(api)).toEqual([]);
  });

  test.each<[string, string, string, unknown, number]>([
    ["a whole list", "PATCH", TAGS, { data: [old] }, 403],
    ["rows that hold the key themselves", "POST", "/authors/1/relationships/books", { data: [] }, 403],
    ["several identifiers", "POST", AUTHOR, { data: [] }, 403],
    ["another type", "PATCH", AUTHOR, { data: { type: "tags", id: "1" } }, 400],
    ["a list for a to-one relation", "PATCH", AUTHOR, { data: [] }, 400],
    ["an identifier for a to-many relation", "POST", TAGS, { data: old }, 400],
    ["no data", "PATCH", AUTHOR, {}, 400],
    ["a missing author", "PATCH", AUTHOR, { data: { type: "authors", id: "77" } }, 422],
    ["an invalid id", "PATCH", AUTHOR, { data: { type: "authors", id: "x" } }, 422],
    ["a missing book", "POST", "/books/77/relationships/tags", { data: [old] }, 404],
    ["an empty list for a missing book", "POST", "/books/77/relationships/tags", { data: [] }, 404],
    ["PUT", "PUT", TAGS, { data: [] }, 405],
  ])("reject %s", async (_what, method, path, document, status) => {
    expect(await ask(await withTags(), method, path, document)).toMatchObject({ status, type: TYPE });
  });

  test("accept only documents of the right type", async () => {
    const json = { body: { data: null }, headers: { accept: TYPE } };
    expect((await send(createLibrary(), "PATCH", AUTHOR, json)).status).toBe(415);
  });
});

describe("links that can be set", () => {
  const all = { read: allow, create: allow, update: allow, delete: allow };
  const label = defineResource("label", { fields: { id: z.int32() }, access: all });
  const page = defineResource("page", {
    fields: { id: z.int32(), title: z.string() },
    relations: { labels: manyToMany("label", { links: 3 }), others: manyToMany("label", { through: "other" }) },
    access: all,
  });
  const start = () => {
    const data = { label: [{ id: 1 }, { id: 2 }], page: [{ id: 1, title: "A" }] };
    return defineApi({ resources: [page, label], store: memoryStore({ data }), formats: [jsonApi], warnings: false });
  };
  const labels = (...ids: readonly unknown[]) => ({ data: ids.map((id) => ({ type: "labels", id: String(id) })) });
  const document = (labelIds: readonly unknown[], more: object = {}) => ({
    data: { type: "pages", attributes: { title: "B" }, relationships: { labels: labels(...labelIds) }, ...more },
  });
  const linked = async (api: ReturnType<typeof start>, id = 1) =>
    ((await ask(api, "GET", `/pages/${id}/relationships/labels`)).body as { data: { id: string }[] }).data.map(
      (one) => one.id,
    );

  test("by documents of a create and an update", async () => {
    const api = start();
    expect(await ask(api, "POST", "/pages", document([1, 2], { id: "2" }))).toMatchObject({ status: 201 });
    expect(await linked(api, 2)).toEqual(["1", "2"]);
    expect(await ask(api, "PATCH", "/pages/1", document([2], { id: "1" }))).toMatchObject({ status: 200 });
    expect(await linked(api)).toEqual(["2"]);
    const wrong = await ask(api, "PATCH", "/pages/1", document([1, 9], { id: "1" }));
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: [{ source: { pointer: "/data/relationships/labels/data/1" } }] },
    });
    expect(await linked(api)).toEqual(["2"]);
  });

  test("by the relationship URL, all or none", async () => {
    const api = start();
    const url = "/pages/1/relationships/labels";
    expect(await ask(api, "PATCH", url, labels(1, 2))).toMatchObject({ status: 204 });
    expect(await linked(api)).toEqual(["1", "2"]);
    expect(await ask(api, "PATCH", url, labels(9))).toMatchObject({ status: 422 });
    expect(await ask(api, "PATCH", url, { data: null })).toMatchObject({ status: 400 });
    expect(await ask(api, "PATCH", url, { data: [{ type: "pages", id: "1" }] })).toMatchObject({ status: 400 });
    expect(await linked(api)).toEqual(["1", "2"]);
    expect(await ask(api, "PATCH", url, labels())).toMatchObject({ status: 204 });
    expect(await linked(api)).toEqual([]);
    const { paths } = api.openapi("", "3.1", "all") as { paths: Record<string, object> };
    expect(paths["/pages/{id}/relationships/labels"]).toHaveProperty("patch");
  });

  test("only with `links`", async () => {
    const api = start();
    const url = "/pages/1/relationships/others";
    expect(await ask(api, "PATCH", url, labels(1))).toMatchObject({ status: 403 });
    const body = { data: { type: "pages", id: "1", relationships: { others: labels(1) } } };
    expect(await ask(api, "PATCH", "/pages/1", body)).toMatchObject({ status: 403 });
    const { paths } = api.openapi("", "3.1", "all") as { paths: Record<string, object> };
    expect(paths["/pages/{id}/relationships/others"]).not.toHaveProperty("patch");
  });
});
