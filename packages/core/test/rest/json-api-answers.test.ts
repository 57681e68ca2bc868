import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, memoryStore } from "../../src/index.ts";
import { answerText } from "../answer.ts";
import { send } from "../request.ts";
import { TYPE } from "./json-api.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  access: { ...access, read: () => ({ name: { ne: "hidden" } }) },
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    type: z.string().min(2),
    size: z.object({ width: z.int().optional(), height: z.int().optional() }).nullable(),
    authorId: z.int32().nullable(),
  },
  access,
  relations: { author: belongsTo("author", "authorId") },
  unique: ["type"],
});

function open() {
  const data = {
    author: [
      { id: 1, name: "hidden" },
      { id: 2, name: "Ann" },
    ],
    book: [
      { id: 1, type: "one", size: { width: 1, height: 2 }, authorId: 1 },
      { id: 2, type: "two", size: null, authorId: 2 },
      { id: 3, type: "three", size: null, authorId: null },
    ],
  };
  return defineApi({ resources: [author, book], store: memoryStore({ data }) });
}

interface Document {
  readonly data?: unknown;
  readonly errors?: readonly { readonly source: { readonly pointer: string } }[];
  readonly links?: { readonly self: string };
}

async function ask(api: ReturnType<typeof open>, method: string, url: string, body?: unknown, type = TYPE) {
  const headers = { accept: TYPE, ...(body === undefined ? {} : { "content-type": type }) };
  const answer = await answerText(api, method, url, { headers, ...(body === undefined ? {} : { body }) });
  return { ...answer, body: JSON.parse(answer.text) as Document };
}

const document = (attributes: object, author: unknown = { type: "authors", id: "2" }, id = "9") => ({
  data: { type: "books", id, attributes, relationships: { author: { data: author } } },
});

test("returns null for a to-one relation that leads nowhere (§7.1)", async () => {
  const api = open();
  const answer = await ask(api, "GET", "/books/3/author");
  expect(answer).toMatchObject({ status: 200, body: { data: null, links: { self: "/books/3/author" } } });
  expect(answer.headers).toMatchObject({ "Content-Type": TYPE, ETag: expect.any(String), Vary: expect.any(String) });
  const headers = { accept: TYPE, "if-none-match": answer.headers["ETag"] as string };
  expect((await answerText(api, "GET", "/books/3/author", { headers })).status).toBe(304);
  // A hidden row looks like a missing one.
  expect((await ask(api, "GET", "/books/1/author")).body).toMatchObject({ data: null });
  expect((await ask(api, "GET", "/books/7/author")).status).toBe(404);
  expect((await send(api, "GET", "/books/3/author")).status).toBe(404);
});

test.each<[string, unknown, readonly string[]]>([
  [
    "a relationship",
    document({ type: "xx", size: null }, { type: "authors", id: "7" }),
    ["/data/relationships/author/data"],
  ],
  ["a field with another name there", document({ bookType: "x", size: null }), ["/data/attributes/bookType"]],
  ["an existing unique value", document({ bookType: "one", size: null }), ["/data/attributes/bookType"]],
  ["a member of an object", document({ bookType: "xx", size: { width: "1" } }), ["/data/attributes/size/width"]],
  ["an id", document({ bookType: "xx", size: null }, undefined, "abc"), ["/data/id"]],
  ["no attribute", document({ size: null }), ["/data/attributes"]],
])("points an error to the request document (§11.2): %s", async (_what, body, pointers) => {
  const { status, body: answer } = await ask(open(), "POST", "/books", body);
  expect([status >= 409, answer.errors?.map(({ source }) => source.pointer)]).toEqual([true, pointers]);
});

test("also at a relationship URL, and in a plain JSON body", async () => {
  const api = open();
  const far = await ask(api, "PATCH", "/books/2/relationships/author", { data: { type: "authors", id: "7" } });
  expect(far).toMatchObject({ status: 422, body: { errors: [{ source: { pointer: "/data" } }] } });
  const plain = await ask(api, "PATCH", "/books/2", { type: "x" }, "application/json");
  expect(plain.body).toMatchObject({ errors: [{ source: { pointer: "/type" } }] });
});

test("replaces an attribute completely (§9.2)", async () => {
  const api = open();
  const data = { type: "books", id: "1", attributes: { size: { width: 5 } } };
  expect((await ask(api, "PATCH", "/books/1", { data })).body).toMatchObject({
    data: { attributes: { size: { width: 5 } } },
  });
  expect((await send(api, "GET", "/books/1")).body).toMatchObject({ size: { width: 5 } });
  expect((await send(api, "GET", "/books/1")).body).not.toHaveProperty("size.height");
});

test("returns the requested URL as `self`, and the new URL after a create", async () => {
  const api = open();
  for (const url of ["/books/2?include=author", "/books/2/author"]) {
    expect((await ask(api, "GET", url)).body.links).toEqual({ self: url });
  }
  const made = await ask(api, "POST", "/books", document({ bookType: "xx", size: null }));
  expect([made.status, made.body.links]).toEqual([201, { self: "/books/9" }]);
});

test("includes the linkage of a row, whether or not the related row is included or visible", async () => {
  const api = open();
  for (const query of ["", "?include=author", "?fields[books]=author", "?fields[books]=author&include=author"]) {
    const { data, ...others } = (await ask(api, "GET", `/books/1${query}`)).body;
    expect([query, data]).toMatchObject([query, { relationships: { author: { data: { type: "authors", id: "1" } } } }]);
    expect(JSON.stringify(others)).not.toContain("hidden");
  }
  const { data } = (await ask(api, "GET", "/books/3?include=author")).body;
  expect(data).toMatchObject({ relationships: { author: { data: null } } });
});
