import { printType } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  belongsTo,
  BifocalError,
  DefinitionError,
  defineApi,
  defineResource,
  hasRole,
  hasMany,
  manyToMany,
  memoryStore,
  type Principal,
  uuid,
} from "../../src/index.ts";
import { countingStore } from "../counting-store.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name"],
  bulk: { update: 10, delete: 10 },
});
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), authorId: z.int32(), editorId: z.int32().nullable() },
  generated: { id: uuid() },
  relations: {
    author: belongsTo("author", "authorId"),
    editor: belongsTo("author", "editorId"),
    tags: manyToMany("tag"),
  },
  access: { ...access, read: ({ principal }) => principal !== null || { title: { ne: "Hidden" } } },
  filterable: ["id", "title", "authorId", "editorId"],
  bulk: { create: 10 },
});
const tag = defineResource("tag", { key: "slug", fields: { slug: z.string(), text: z.string() }, access });
const seat = defineResource("seat", {
  key: ["hall", "number"],
  fields: { hall: z.string(), number: z.int32() },
  access,
});
const vault = defineResource("vault", { fields: { id: z.int32() }, access: { ...access, read: hasRole("keeper") } });

const EMMA = "b0000000-0000-4000-8000-000000000001";
const HIDDEN = "b0000000-0000-4000-8000-000000000002";
const NEVER_WAS = "b0000000-0000-4000-8000-000000000009";
const id = (text: string): string => Buffer.from(text).toString("base64url");

function library(principal: Principal | null = null) {
  const { store, calls } = countingStore({
    data: {
      author: [1, 2, 3].map((n) => ({ id: n, name: `Author ${n}` })),
      book: [
        { id: EMMA, title: "Emma", authorId: 1, editorId: null },
        { id: HIDDEN, title: "Hidden", authorId: 2, editorId: 3 },
      ],
      tag: [{ slug: "a,b", text: "A" }],
      seat: [{ hall: "A", number: 1 }],
      vault: [{ id: 1 }],
    },
  });
  const auth = { schemes: {}, challenge: "Bearer", headers: [], authenticate: () => principal };
  const resources = [author, book, tag, seat, vault] as const;
  return { api: defineApi({ resources, store, auth, graphql: { globalIds: true } }), calls };
}

test("includes the type in the id of a row, and leaves REST unchanged", async () => {
  const { api } = library({ id: "ann" });
  const query = `{
    authors(first: 1) { nodes { id } }
    books { nodes { id authorId editorId author { id } } }
    tags { nodes { id slug } }
    seats { nodes { id hall number } }
  }`;
  expect(await ask(api, query)).toEqual({
    data: {
      authors: { nodes: [{ id: id("Author:1") }] },
      books: {
        nodes: [
          { id: id(`Book:${EMMA}`), authorId: id("Author:1"), editorId: null, author: { id: id("Author:1") } },
          {
            id: id(`Book:${HIDDEN}`),
            authorId: id("Author:2"),
            editorId: id("Author:3"),
            author: { id: id("Author:2") },
          },
        ],
      },
      tags: { nodes: [{ id: id("Tag:a%2Cb"), slug: "a,b" }] },
      seats: { nodes: [{ id: id("Seat:A,1"), hall: "A", number: "1" }] },
    },
  });
  expect(await send(api, "GET", `/books/${EMMA}`)).toMatchObject({ status: 200, body: { id: EMMA, authorId: 1 } });
});

describe("node", () => {
  test.each([
    ["Author:2", { __typename: "Author", id: id("Author:2"), name: "Author 2" }],
    [`Book:${EMMA}`, { __typename: "Book", id: id(`Book:${EMMA}`), title: "Emma", author: { name: "Author 1" } }],
    ["Tag:a%2Cb", { __typename: "Tag", id: id("Tag:a%2Cb"), text: "A" }],
    ["Seat:A,1", { __typename: "Seat", id: id("Seat:A,1"), hall: "A" }],
  ])("returns %s", async (text, node) => {
    const query = `{ node(id: "${id(text)}") {
      __typename id ... on Author { name } ... on Book { title author { name } } ... on Tag { text } ... on Seat { hall }
    } }`;
    expect(await ask(library().api, query)).toEqual({ data: { node } });
  });

  test.each([
    ["a hidden row", id(`Book:${HIDDEN}`)],
    ["a missing row", id(`Book:${NEVER_WAS}`)],
    ["an unknown type", id("Bok:1")],
    ["a connection", id("BookConnection:1")],
    ["a plain id", EMMA],
    ["an id that is malformed", id("Author:one")],
    ["an id in another spelling", `${id("Author:1")}=`],
    ["nothing", ""],
  ])("returns null for %s, in the same bytes", async (_, text) => {
    const { api } = library();
    const { body } = await send(api, "POST", "/graphql", {
      body: { query: "query ($id: ID!) { node(id: $id) { id } }", variables: { id: text } },
    });
    expect(body).toEqual({ data: { node: null } });
  });

  test("applies the rules of every read", async () => {
    const query = `{ node(id: "${id(`Book:${HIDDEN}`)}") { ... on Book { title } } }`;
    expect(await ask(library({ id: "ann" }).api, query)).toEqual({ data: { node: { title: "Hidden" } } });
    const { data, errors } = await ask(library().api, `{ node(id: "${id("Vault:1")}") { id } }`);
    const never = await ask(library().api, `{ node(id: "${id("Vault:9")}") { id } }`);
    expect(data).toEqual({ node: null });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(never.errors?.[0]?.message).toBe(errors?.[0]?.message);
  });
});

describe("nodes", () => {
  const query =
    "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Book { title author { name } } ... on Author { name } } }";

  test("reads the ids of each type in one call, and keeps their order", async () => {
    const { api, calls } = library();
    const ids = ["Author:3", `Book:${EMMA}`, "Author:1", `Book:${HIDDEN}`, "Author:3", "Author:77"].map(id);
    expect(await ask(api, query, { body: { ids } })).toEqual({
      data: {
        nodes: [
          { id: ids[0], name: "Author 3" },
          { id: ids[1], title: "Emma", author: { name: "Author 1" } },
          { id: ids[2], name: "Author 1" },
          null,
          { id: ids[4], name: "Author 3" },
          null,
        ],
      },
    });
    expect([...calls].sort()).toEqual(["author.byKeys(1)", "author.list", "book.list"]);
  });

  test("returns an error per id", async () => {
    const { data, errors } = await ask(library().api, query, { body: { ids: [id("Vault:1"), id("Author:1")] } });
    expect(data).toEqual({ nodes: [null, { id: id("Author:1"), name: "Author 1" }] });
    expect(errors).toMatchObject([{ path: ["nodes", 0], extensions: { code: "UNAUTHENTICATED" } }]);
  });

  test("limits the number of ids", async () => {
    const ids = Array.from({ length: 251 }, (_, n) => id(`Author:${n}`));
    const { errors } = await ask(library().api, query, { body: { ids } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST", errors: [{ code: "too_many" }] });
  });
});

describe("global ids as arguments", () => {
  test.each([
    ["by id", `{ author(id: "${id("Author:2")}") { name } }`, { author: { name: "Author 2" } }],
    ["by the id of another type", `{ author(id: "${id("Book:2")}") { name } }`, { author: null }],
    ["by a plain id", '{ author(id: "2") { name } }', { author: null }],
    [
      "a filter",
      `{ books(filter: { authorId: { eq: "${id("Author:1")}" } }) { nodes { title } } }`,
      { books: { nodes: [{ title: "Emma" }] } },
    ],
    [
      "a filter along relations",
      `{ authors(filter: { or: [{ books: { some: { id: { in: ["${id(`Book:${EMMA}`)}"] } } } }, { not: { id: { ne: "${id("Author:3")}" } } }] }) { nodes { name } } }`,
      { authors: { nodes: [{ name: "Author 1" }, { name: "Author 3" }] } },
    ],
    [
      "a filter for null",
      "{ books(filter: { editorId: { isNull: true } }) { nodes { title } } }",
      { books: { nodes: [{ title: "Emma" }] } },
    ],
    [
      "a nested filter",
      `{ author(id: "${id("Author:1")}") { books(filter: { id: { notIn: ["${id(`Book:${EMMA}`)}"] } }) { totalCount } } }`,
      { author: { books: { totalCount: 0 } } },
    ],
    [
      "a create",
      `mutation { createBook(input: { title: "New", authorId: "${id("Author:2")}", editorId: null }) { title author { name } } }`,
      { createBook: { title: "New", author: { name: "Author 2" } } },
    ],
    [
      "many creates",
      `mutation { createBooks(input: [{ title: "New", authorId: "${id("Author:2")}", editorId: "${id("Author:3")}" }]) { editorId } }`,
      { createBooks: [{ editorId: id("Author:3") }] },
    ],
    [
      "an update",
      `mutation { updateBook(id: "${id(`Book:${EMMA}`)}", input: { editorId: "${id("Author:2")}" }) { editor { name } } }`,
      { updateBook: { editor: { name: "Author 2" } } },
    ],
    [
      "many updates",
      `mutation { updateAuthors(filter: { id: { eq: "${id("Author:2")}" } }, input: { name: "N" }) { count ids } }`,
      { updateAuthors: { count: 1, ids: [id("Author:2")] } },
    ],
    [
      "a link",
      `mutation { linkBookTag(id: "${id(`Book:${EMMA}`)}", tagId: "${id("Tag:a%2Cb")}") { tags { nodes { text } } } }`,
      { linkBookTag: { tags: { nodes: [{ text: "A" }] } } },
    ],
    [
      "a delete",
      `mutation { deleteBook(id: "${id(`Book:${EMMA}`)}") { deleted id } }`,
      { deleteBook: { deleted: true, id: id(`Book:${EMMA}`) } },
    ],
    [
      "a key that the client chooses",
      `mutation { createAuthor(input: { id: "${id("Author:7")}", name: "Seven" }) { id } }`,
      { createAuthor: { id: id("Author:7") } },
    ],
  ])("%s", async (_, query, data) => {
    expect(await ask(library().api, query)).toEqual({ data });
  });

  test.each([
    [
      "a filter",
      `{ books(filter: { authorId: { in: ["${id("Book:1")}"] } }) { totalCount } }`,
      "BAD_REQUEST",
      ["filter", "authorId", "in", 0],
    ],
    [
      "a create",
      `mutation { createBook(input: { title: "x", authorId: "1", editorId: null }) { id } }`,
      "VALIDATION_FAILED",
      ["authorId"],
    ],
    [
      "one of several creates",
      `mutation { createBooks(input: [{ title: "x", authorId: "${id("Author:1")}", editorId: "${id("Tag:1")}" }]) { id } }`,
      "VALIDATION_FAILED",
      [0, "editorId"],
    ],
  ])("rejects the id of another type in %s", async (_, query, code, path) => {
    const { errors } = await ask(library().api, query);
    expect(errors?.[0]?.extensions).toMatchObject({ code, errors: [{ path, code: "invalid_id" }] });
  });

  test.each([
    ["an update", `mutation { updateAuthor(id: "${id(`Book:${EMMA}`)}", input: { name: "x" }) { id } }`],
    ["a delete", 'mutation { deleteAuthor(id: "1") { id } }'],
    ["a link", `mutation { linkBookTag(id: "${id(`Book:${EMMA}`)}", tagId: "${id("Author:1")}") { id } }`],
  ])("finds no row by the id of another type in %s", async (_, query) => {
    expect((await ask(library().api, query)).errors?.[0]?.extensions).toMatchObject({ code: "NOT_FOUND" });
  });
});

test("opaque ids support equality, but no order or text operators", () => {
  const { schema } = library().api.graphql;
  expect(printType(schema.getType("IDFilter") as never)).toBe(
    "input IDFilter {\n  eq: ID\n  ne: ID\n  in: [ID]\n  notIn: [ID]\n  isNull: Boolean\n}",
  );
  expect(printType(schema.getType("Node") as never)).toContain("interface Node {\n  id: ID!\n}");
  expect(printType(schema.getType("Book") as never)).toContain("type Book implements Node {\n  id: ID!\n");
});

test.each([
  ["a resource named node", defineResource("node", { fields: { id: z.int32() }, access }), /Rename the resource/],
  [
    "an invalid key",
    defineResource("page", { key: "slug", fields: { slug: z.string(), id: z.int32() }, access }),
    /page\.id: .*another field/,
  ],
  [
    "a field named id in a key of several fields",
    defineResource("page", { key: ["shop", "id"], fields: { shop: z.string(), id: z.int32() }, access }),
    /page\.id/,
  ],
])("rejects %s", (_, resource, message) => {
  const start = () => defineApi({ resources: [resource as never], graphql: { globalIds: true } });
  expect(start).toThrow(DefinitionError);
  expect(start).toThrow(message);
});

test("a row by its id is a `get` operation, with its hooks", async () => {
  const note = defineResource("note", {
    fields: { id: z.int32(), text: z.string() },
    access,
    hooks: {
      get: {
        before: ({ principal }) => {
          if (principal === null) throw new BifocalError("FORBIDDEN", "Ask for it first.");
        },
      },
    },
  });
  const store = memoryStore({ data: { note: [{ id: 1, text: "secret" }] } });
  const api = defineApi({ resources: [note], store, graphql: { globalIds: true } });
  const global = id("Note:1");
  for (const query of [
    `{ note(id: "${global}") { text } }`,
    `{ node(id: "${global}") { ... on Note { text } } }`,
    `{ nodes(ids: ["${global}"]) { ... on Note { text } } }`,
  ]) {
    const { data, errors } = await ask(api, query);
    expect([JSON.stringify(data).includes("secret"), errors?.[0]?.message]).toEqual([false, "Ask for it first."]);
  }
});
