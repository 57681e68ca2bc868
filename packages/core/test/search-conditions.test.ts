import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  type Principal,
  signedIn,
  silentLog,
} from "../src/index.ts";
import { printOperation } from "../src/operations.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const ann: Principal = { id: "ann" };
const SIGNED_IN = { headers: { "x-api-key": "key-of-ann-0123456789" } };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    genre: z.string(),
    price: z.int32(),
    notes: z.string().nullable(),
    authorId: z.int32(),
  },
  relations: { author: belongsTo("author", "authorId") },
  access: { ...access, fields: { notes: { read: signedIn } } },
  search: ["title", "author.name", "notes"],
  filterable: ["genre"],
  aggregatable: ["price"],
  groupable: ["genre"],
  bulk: { update: 10, delete: 10 },
});

function create() {
  const data = {
    author: [
      { id: 1, name: "Jane Austen" },
      { id: 2, name: "Émile Zola" },
    ],
    book: [
      { id: 1, title: "Emma", genre: "novel", price: 10, authorId: 1, notes: null },
      { id: 2, title: "Emma, the play", genre: "play", price: 20, authorId: 1, notes: null },
      { id: 3, title: "Germinal", genre: "novel", price: 40, authorId: 2, notes: "not about emma" },
      { id: 4, title: "Emmanuelle", genre: "novel", price: 80, authorId: 2, notes: null },
    ],
  };
  return defineApi({
    resources: [author, book],
    store: memoryStore({ data }),
    auth: apiKeys({ "key-of-ann-0123456789": ann }),
    log: silentLog,
  });
}

const BY_GENRE = [
  { group: { genre: "novel" }, count: 2, sum: { price: 90 } },
  { group: { genre: "play" }, count: 1, sum: { price: 20 } },
];

describe("a search on groups", () => {
  test("selects the same rows in both styles, in a body and in process", async () => {
    const api = create();
    const seen: string[] = [];
    api.observe((operation) => seen.push(printOperation(operation)));
    const rest = await send(api, "GET", "/books?aggregate=count,sum.price&group=genre&q=emm");
    const query = { q: "emm", aggregate: ["count", "sum.price"], group: ["genre"] };
    const body = await send(api, "QUERY", "/books", { body: query });
    const graphql = await ask(
      api,
      '{ booksAggregate(search: "emm", groupBy: [GENRE]) { nodes { group { genre } count sum { price } } } }',
    );
    const local = await api.local.book.aggregate({
      search: "emm",
      aggregate: ["count", "sum.price"],
      group: ["genre"],
    });
    expect(rest.body).toEqual(BY_GENRE);
    expect(body.body).toEqual(BY_GENRE);
    expect(graphql).toEqual({ data: { booksAggregate: { nodes: BY_GENRE } } });
    expect(local.groups).toEqual(BY_GENRE);
    expect(seen).toHaveLength(4);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toContain("search emm…");
  });

  test("combines with a filter", async () => {
    const { body } = await send(create(), "GET", "/books?aggregate=count&q=emm&filter[genre]=novel");
    expect(body).toEqual([{ group: {}, count: 2 }]);
  });

  test("works on relations, alone and embedded", async () => {
    const api = create();
    const alone = await send(api, "GET", "/authors/1/books?aggregate=count&q=emma");
    expect(alone.body).toEqual([{ group: {}, count: 2 }]);
    const embedded = await send(api, "GET", "/authors?fields=id&rel[books][aggregate]=count&rel[books][q]=emma");
    expect(embedded.body).toEqual([
      { id: 1, "books@groups": [{ group: {}, count: 2 }] },
      { id: 2, "books@groups": [{ group: {}, count: 1 }] },
    ]);
    const document = `{ authors { nodes {
      all: booksAggregate { nodes { count } }
      found: booksAggregate(search: "emma") { nodes { count } }
    } } }`;
    const count = (number: number) => ({ nodes: [{ count: number }] });
    expect(await ask(api, document)).toEqual({
      data: {
        authors: {
          nodes: [
            { all: count(2), found: count(2) },
            { all: count(2), found: count(1) },
          ],
        },
      },
    });
  });

  test("ignores fields that the caller can't read", async () => {
    const api = create();
    const path = "/books?aggregate=count&q=about";
    expect((await send(api, "GET", path)).body).toEqual([{ group: {}, count: 0 }]);
    expect((await send(api, "GET", path, SIGNED_IN)).body).toEqual([{ group: {}, count: 1 }]);
  });

  test("binds cursors to its words", async () => {
    const api = create();
    const groups = { group: ["genre"] } as const;
    const { endCursor } = await api.local.book.aggregate({ ...groups, search: "emm", page: { size: 1 } });
    const page = { size: 1, after: endCursor as string };
    const next = await api.local.book.aggregate({ ...groups, search: "emm", page });
    expect(next.groups).toEqual([{ group: { genre: "play" } }]);
    for (const others of [{ search: "emma" }, {}]) {
      const other = api.local.book.aggregate({ ...groups, ...others, page });
      await expect(other).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
  });

  test("fails with 400 where there is no search", async () => {
    expect(await send(create(), "GET", "/authors?aggregate=count&q=emma")).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("'author' can't be searched") as string },
    });
  });
});

describe("a search on bulk writes", () => {
  const titlesOf = async (api: ReturnType<typeof create>) =>
    (await api.local.book.list()).items.map(({ title }) => title);

  test("selects the rows to update in both styles and in process", async () => {
    const updates: readonly ((api: ReturnType<typeof create>) => Promise<unknown>)[] = [
      async (api) => (await send(api, "PATCH", "/books?q=emma", { body: { price: 1 } })).body,
      async (api) => {
        const { data } = await ask(api, 'mutation { updateBooks(search: "emma", input: { price: 1 }) { count ids } }');
        const { count, ids } = (data as { updateBooks: { count: number; ids: string[] } }).updateBooks;
        return { updated: count, ids: ids.map(Number) };
      },
      async (api) => {
        const ids = await api.local.book.updateMany({}, { price: 1 }, { search: "emma" });
        return { updated: ids.length, ids };
      },
    ];
    const seen: string[] = [];
    for (const update of updates) {
      const api = create();
      const stop = api.observe((operation) => seen.push(printOperation(operation)));
      expect(await update(api)).toEqual({ updated: 3, ids: [1, 2, 4] });
      stop();
      expect((await api.local.book.list()).items.map(({ price }) => price)).toEqual([1, 1, 40, 1]);
    }
    expect(seen[0]).toContain("search emma…");
    expect(new Set(seen.map((text) => text.replace("input value", "input wire"))).size).toBe(1);
  });

  test("selects the rows to delete, together with a filter", async () => {
    const rest = create();
    expect((await send(rest, "DELETE", "/books?q=emm&filter[genre]=novel")).body).toEqual({ deleted: 2, ids: [1, 4] });
    const graphql = create();
    const document = 'mutation { deleteBooks(search: "emm", filter: { genre: { eq: "novel" } }) { ids } }';
    expect(await ask(graphql, document)).toEqual({ data: { deleteBooks: { ids: ["1", "4"] } } });
    const local = create();
    expect(await local.local.book.deleteMany({ genre: "novel" }, { search: "emm" })).toEqual([1, 4]);
    for (const api of [rest, graphql, local]) expect(await titlesOf(api)).toEqual(["Emma, the play", "Germinal"]);
  });

  test("writes a row although the write changes what was searched for", async () => {
    const api = create();
    const { body } = await send(api, "PATCH", "/books?q=emma", { body: { title: "Sold" } });
    expect(body).toEqual({ updated: 3, ids: [1, 2, 4] });
    expect(await titlesOf(api)).toEqual(["Sold", "Sold", "Germinal", "Sold"]);
  });

  test("doesn't find rows by fields that the caller can't read", async () => {
    const api = create();
    expect((await send(api, "DELETE", "/books?q=about")).body).toEqual({ deleted: 0, ids: [] });
    expect((await send(api, "DELETE", "/books?q=about", SIGNED_IN)).body).toEqual({ deleted: 1, ids: [3] });
  });

  test("fails with 400 if it has no words, because the request would affect all rows", async () => {
    const api = create();
    const required = { status: 400, body: { detail: expect.stringContaining("A filter is required") as string } };
    expect(await send(api, "DELETE", "/books?q=")).toMatchObject(required);
    expect(await send(api, "PATCH", "/books?q=+", { body: { price: 1 } })).toMatchObject(required);
    const { errors } = await ask(api, "mutation { deleteBooks { count } }");
    expect(errors?.[0]?.message).toContain("A filter is required");
    await expect(api.local.book.deleteMany({}, { search: "" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await send(api, "DELETE", "/books?q=%21")).toMatchObject({ status: 400 });
    expect(await titlesOf(api)).toHaveLength(4);
  });
});

test("both schemas have a search wherever rows are selected by a filter", async () => {
  const api = create();
  const sdl = api.graphql.sdl();
  for (const field of ["booksAggregate", "updateBooks", "deleteBooks"]) {
    const start = sdl.indexOf(`  ${field}(`);
    expect(sdl.slice(start, sdl.indexOf("): ", start))).toContain("search: String");
  }
  const { body } = await send(api, "GET", "/openapi.json");
  const { paths } = body as { paths: Record<string, Record<string, { parameters?: { name?: string }[] }>> };
  for (const method of ["get", "patch", "delete"]) {
    expect(paths["/books"]?.[method]?.parameters?.map(({ name }) => name)).toContain("q");
  }
});
