import { expect, test } from "vitest";
import { ask, TYPE } from "./json-api.ts";
import { AS_ANN, createLibrary } from "./library.ts";

test("returns a compound document (JSON:API 1.1 §7.7): each included row once, full linkage", async () => {
  const { body, type } = await ask(createLibrary(), "GET", "/books?sort=id&include=author&page[size]=2");
  expect(type).toBe(TYPE);
  expect(body).toEqual({
    jsonapi: { version: "1.1" },
    data: [
      {
        type: "books",
        id: "1",
        attributes: {
          title: "Emma",
          isbn: "1",
          price: 10,
          words: ["match"],
          size: { width: 2, height: 3 },
          revision: 1,
        },
        relationships: {
          author: {
            data: { type: "authors", id: "1" },
            links: { self: "/books/1/relationships/author", related: "/books/1/author" },
          },
          tags: { links: { self: "/books/1/relationships/tags", related: "/books/1/tags" } },
        },
        links: { self: "/books/1" },
      },
      expect.objectContaining({ type: "books", id: "2" }),
    ],
    included: [
      {
        type: "authors",
        id: "1",
        attributes: { name: "Austen" },
        relationships: {
          books: { links: { self: "/authors/1/relationships/books", related: "/authors/1/books" } },
        },
        links: { self: "/authors/1" },
      },
    ],
    links: {
      self: "/books?sort=id&include=author&page[size]=2",
      first: expect.any(String),
      next: expect.stringContaining("page%5Bafter%5D"),
    },
  });
});

test("accepts documents with attributes, relationships and a client's own id", async () => {
  const api = createLibrary();
  const author = { data: { type: "authors", id: "1" } };
  const data = { type: "books", id: "50", attributes: { title: "New", price: 1 }, relationships: { author } };
  const made = await ask(api, "POST", "/books", { data });
  expect(made).toMatchObject({
    status: 201,
    location: "/books/50",
    body: { data: { id: "50", attributes: { title: "New" } } },
  });
  const changed = await ask(api, "PATCH", "/books/50", {
    data: { type: "books", id: "50", attributes: { title: "Newer" }, relationships: { author: { data: null } } },
  });
  expect(changed.body).toMatchObject({
    data: { attributes: { title: "Newer" }, relationships: { author: { data: null } } },
  });
  expect((await ask(api, "DELETE", "/books/50")).status).toBe(204);
});

test.each<[string, string, string, unknown, number]>([
  ["another type", "POST", "/books", { data: { type: "authors", attributes: {} } }, 409],
  ["another id", "PATCH", "/books/1", { data: { type: "books", id: "2", attributes: {} } }, 409],
  ["no data", "POST", "/books", { title: "x" }, 400],
  ["an unknown attribute", "PATCH", "/books/1", { data: { type: "books", id: "1", attributes: { nope: 1 } } }, 422],
  [
    "a to-many relationship",
    "PATCH",
    "/books/1",
    { data: { type: "books", id: "1", relationships: { tags: { data: [] } } } },
    403,
  ],
  [
    "a relationship of another type",
    "PATCH",
    "/books/1",
    { data: { type: "books", id: "1", relationships: { author: { data: { type: "tags", id: "1" } } } } },
    400,
  ],
])("rejects %s", async (_what, method, url, document, status) => {
  const answer = await ask(createLibrary(), method, url, document);
  expect(answer).toMatchObject({ status, type: TYPE, body: { errors: [{ status: String(status) }] } });
});

test("points errors into the document, or names the parameter (§11.2)", async () => {
  const api = createLibrary();
  const wrong = await ask(api, "POST", "/books", { data: { type: "books", attributes: { title: "", price: -1 } } });
  expect(wrong.body).toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({ source: { pointer: "/data/attributes/title" } }),
      expect.objectContaining({ source: { pointer: "/data/attributes/price" } }),
    ]),
  });
  expect((await ask(api, "GET", "/books?sort=nope")).body).toMatchObject({
    errors: [{ source: { parameter: "sort[0]" } }],
  });
  expect((await ask(api, "GET", "/books?include=nope")).body).toMatchObject({
    errors: [{ source: { parameter: "include" } }],
  });
});

test("returns 415 for media type parameters other than profile (§5.3)", async () => {
  const api = createLibrary();
  const document = { data: { type: "books", id: "60", attributes: { title: "x", price: 1 } } };
  for (const [type, status] of [
    [`${TYPE}; charset=utf-8`, 415],
    [`${TYPE}; ext="https://example.com/e"`, 415],
    [`${TYPE}; profile="https://example.com/p"`, 201],
  ] as const) {
    expect([type, (await ask(api, "POST", "/books", document, { "content-type": type })).status]).toEqual([
      type,
      status,
    ]);
  }
});

test("omits fields that the caller cannot read from every document", async () => {
  const api = createLibrary();
  expect(JSON.stringify((await ask(api, "GET", "/books?include=author")).body)).not.toContain("jane@example.com");
  expect(JSON.stringify((await ask(api, "GET", "/books?include=author", undefined, AS_ANN)).body)).toContain(
    "jane@example.com",
  );
});

test("applies further rules of the document format (§8.3, §9.1, §9.2)", async () => {
  const api = createLibrary();
  const note = { data: { type: "notes", id: "00000000-0000-4000-8000-000000000009", attributes: { text: "x" } } };
  expect((await ask(api, "POST", "/notes", note)).status).toBe(403);
  expect((await ask(api, "GET", "/books/1?include=")).status).toBe(200);
  await ask(api, "POST", "/tags", { data: { type: "tags", id: "a/b", attributes: { name: "x", owner: null } } });
  for (const id of ["a/b", "a%2Fb"]) {
    const patch = await ask(api, "PATCH", "/tags/a%2Fb", { data: { type: "tags", id, attributes: { name: "y" } } });
    expect([id, patch.status]).toEqual([id, 200]);
  }
  const missing = await ask(api, "POST", "/tags", { data: { type: "tags", attributes: { owner: null } } });
  expect(missing.body).toMatchObject({
    errors: [{ source: { pointer: "/data" } }, { source: { pointer: "/data/attributes" } }],
  });
  const profiled = { "content-type": `${TYPE}; profile="https://example.com/a;b"` };
  const document = { data: { type: "tags", id: "p", attributes: { name: "x", owner: null } } };
  expect((await ask(api, "POST", "/tags", document, profiled)).status).toBe(201);
});
