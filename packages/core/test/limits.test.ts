import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, type LimitOptions, memoryStore } from "../src/index.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), extra: z.json().nullable() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
  page: { size: 2, max: 5 },
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["id"],
});

function start(limits: LimitOptions = {}) {
  const data = { author: [{ id: 1, name: "A", extra: null }], book: [{ id: 1, authorId: 1 }] };
  return defineApi({ resources: [author, book], store: memoryStore({ data }), limits });
}

const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { not: nested(depth - 1, inner) });
const brackets = (depth: number): string => `filter${"[not]".repeat(depth)}[name]=A`;
const path = (depth: number): string =>
  Array.from({ length: depth }, (_, n) => (n % 2 === 0 ? "books" : "author")).join(".");
const selection = (depth: number): string =>
  depth === 0
    ? "id"
    : depth % 2 === 0
      ? `books { nodes { ${selection(depth - 1)} } }`
      : `author { ${selection(depth - 1)} }`;

/** Each request is at its limit, and one over it. */
test.each<[name: string, limits: LimitOptions, within: string, beyond: string, code: string]>([
  ["filterDepth", { query: { filterDepth: 3 } }, `/authors?${brackets(2)}`, `/authors?${brackets(4)}`, "too_deep"],
  [
    "filterSize",
    { query: { filterSize: 2 } },
    "/authors?filter[name][ne]=x&filter[name][gt]=",
    "/authors?filter[name][ne]=x&filter[name][gt]=&filter[name][lt]=z",
    "too_many",
  ],
  [
    "filterScans",
    { query: { filterScans: 2 } },
    "/authors?filter[name][ne]=x&filter[name][contains]=&filter[name][gt]=",
    "/authors?filter[name][ne]=x&filter[name][contains]=&filter[name][iendsWith]=z",
    "too_many_scans",
  ],
  [
    "filterScans, within a not",
    { query: { filterScans: 1 } },
    "/authors?filter[not][name]=x&filter[or][0][not][not][name]=z",
    "/authors?filter[not][or][0][name]=x&filter[not][or][1][name]=z",
    "too_many_scans",
  ],
  [
    "listOperand",
    { query: { listOperand: 2 } },
    "/books?filter[id][in]=1&filter[id][in]=2",
    "/books?filter[id][in]=1&filter[id][in]=2&filter[id][in]=3",
    "too_many",
  ],
  [
    "selectionDepth",
    { query: { selectionDepth: 2 } },
    `/authors?include=${path(2)}`,
    `/authors?include=${path(3)}`,
    "too_deep",
  ],
  ["offset", { query: { offset: 10 } }, "/authors?page[offset]=10", "/authors?page[offset]=11", "out_of_range"],
  ["page max", {}, "/authors?page[size]=5", "/authors?page[size]=6", "out_of_range"],
])("%s in a URL", async (_, limits, within, beyond, code) => {
  const api = start(limits);
  expect(await send(api, "GET", within)).toMatchObject({ status: 200 });
  expect(await send(api, "GET", beyond)).toMatchObject({ status: 400, body: { errors: [{ code }] } });
});

test.each<[name: string, limits: LimitOptions, within: string, beyond: string]>([
  [
    "selectionDepth",
    { query: { selectionDepth: 2 } },
    `{ authors { nodes { ${selection(2)} } } }`,
    `{ authors { nodes { ${selection(4)} } } }`,
  ],
  [
    "documentTokens",
    { graphql: { tokens: 20 } },
    "{ authors { nodes { id } } }",
    `{ authors { nodes { ${"id ".repeat(20)} } } }`,
  ],
  [
    "documentFields, spread out",
    { graphql: { fields: 12 } },
    "{ authors { nodes { ...F } } } fragment F on Author { id name }",
    "{ a: authors { nodes { ...G ...G } } b: authors { nodes { ...G ...G } } } fragment G on Author { ...F ...F } fragment F on Author { id name }",
  ],
  ["page max", {}, "{ authors(first: 5) { nodes { id } } }", "{ authors(first: 6) { nodes { id } } }"],
  [
    "nested page max",
    {},
    "{ book(id: 1) { author { books(first: 100) { nodes { id } } } } }",
    "{ book(id: 1) { author { books(first: 101) { nodes { id } } } } }",
  ],
])("%s in a document", async (_, limits, within, beyond) => {
  const api = start(limits);
  expect((await ask(api, within)).errors).toBeUndefined();
  const { errors } = await ask(api, beyond);
  expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST" });
});

test("writes nothing for a mutation that selects too deep", async () => {
  const api = start({ query: { selectionDepth: 1 } });
  const input = '{ id: 9, name: "x" }';
  const { errors } = await ask(api, `mutation { createAuthor(input: ${input}) { books { nodes { author { id } } } } }`);
  expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST", errors: [{ path: ["books", "author"] }] });
  expect(await api.local.author.get(9)).toBeNull();
  const deep = { books: { select: { author: true } } } as const;
  await expect(api.local.author.get(1, { select: deep })).rejects.toMatchObject({ issues: [{ code: "too_deep" }] });
});

test("filterDepth in a document", async () => {
  const api = start({ query: { filterDepth: 3 } });
  const query = "query ($filter: AuthorFilter) { authors(filter: $filter) { nodes { id } } }";
  const filter = (depth: number) => ({ body: { filter: nested(depth, { name: { eq: "A" } }) } });
  expect((await ask(api, query, filter(2))).errors).toBeUndefined();
  expect((await ask(api, query, filter(4))).errors?.[0]?.extensions).toMatchObject({ errors: [{ code: "too_deep" }] });
});

test("jsonDepth and bodyBytes", async () => {
  const api = start({ http: { jsonDepth: 4, bodyBytes: 200 } });
  const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
  const create = (id: number, extra: unknown) => send(api, "POST", "/authors", { body: { id, name: "x", extra } });
  expect(await create(2, deep(3))).toMatchObject({ status: 201 });
  expect(await create(3, deep(4))).toMatchObject({
    status: 400,
    body: { detail: "The body can be nested at most 4 levels deep." },
  });
  const variables = { body: { x: deep(9) } };
  expect((await ask(api, "query ($x: JSON) { __typename }", variables)).errors?.[0]?.extensions).toMatchObject({
    code: "BAD_REQUEST",
  });
});

test("rejects a fragment that would grow exponentially without delay", async () => {
  const api = start();
  const levels = Array.from({ length: 30 }, (_, n) => `fragment F${n} on Author { ...F${n + 1} ...F${n + 1} }`).join(
    " ",
  );
  const query = `{ authors { nodes { ...F0 } } } ${levels} fragment F30 on Author { id }`;
  expect((await ask(api, query)).errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST" });
});
