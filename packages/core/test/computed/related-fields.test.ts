import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  type Authenticator,
  avg,
  belongsTo,
  count,
  decimal,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  max,
  min,
  type Store,
  sum,
} from "../../src/index.ts";
import { countingStore, keepingLog } from "../counting-store.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const staff = ({ principal }: { readonly principal: { readonly id: string } | null }): boolean => principal !== null;

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  computed: {
    bookCount: count("books"),
    novels: count("books", { genre: "novel" }),
    total: sum("books", "price"),
    pages: sum("books", "pages"),
    averagePages: avg("books", "pages"),
    averagePrice: avg("books", "price"),
    first: min("books", "published"),
    last: max("books", "published"),
    profit: sum("books", "profit"),
  },
  access,
  filterable: ["name", "bookCount", "novels", "total", "averagePages", "averagePrice", "last"],
  sortable: ["name", "bookCount", "total", "averagePrice", "last"],
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    authorId: z.int32(),
    genre: z.enum(["novel", "poem"]),
    pages: z.int32().nullable(),
    price: decimal({ precision: 8, scale: 2 }),
    published: z.iso.date().nullable(),
    isDraft: z.boolean(),
    profit: z.int32(),
  },
  relations: { author: belongsTo("author", "authorId", { onDelete: "cascade" }), tags: manyToMany("tag") },
  computed: { tagCount: count("tags") },
  access: {
    ...access,
    read: ({ principal }) => (principal === null ? { isDraft: false } : true),
    fields: { profit: { read: staff } },
  },
  filterable: ["genre", "tagCount"],
  sortable: ["tagCount"],
});
const tag = defineResource("tag", {
  fields: { id: z.int32() },
  relations: { books: manyToMany("book") },
  computed: { novelCount: count("books", { genre: { eq: "novel" } }) },
  access,
});

const b = (id: number, authorId: number, price: string, more: object = {}) => ({
  id,
  authorId,
  genre: "novel",
  pages: null,
  price,
  published: null,
  isDraft: false,
  profit: 1,
  ...more,
});
const data = {
  author: [1, 2, 3].map((id) => ({ id, name: ["Austen", "Woolf", "Nobody"][id - 1] as string })),
  book: [
    b(1, 1, "10.10", { pages: 100, published: "1811-01-01" }),
    b(2, 1, "0.20", { pages: 201, published: "1817-12-20" }),
    b(3, 1, "5.00", { isDraft: true, published: "1999-01-01" }),
    b(4, 2, "7.00", { genre: "poem", published: "1928-10-11" }),
  ],
  tag: [{ id: 1 }, { id: 2 }],
  book_tag: [
    { bookId: 1, tagId: 1 },
    { bookId: 1, tagId: 2 },
    { bookId: 3, tagId: 1 },
    { bookId: 4, tagId: 1 },
  ],
};

const auth: Authenticator = {
  schemes: {},
  challenge: "Bearer",
  authenticate: ({ headers }) => (headers["authorization"] === undefined ? null : { id: "ann" }),
};
const signed = { headers: { authorization: "ann" } };

/** A store that can't compute values from related rows. */
function withoutValues(store: Store): Store {
  return { ...store, capabilities: { ...store.capabilities, relatedValues: false } };
}

function start(change: (store: Store) => Store = (store) => store) {
  const { store, calls } = countingStore({ data });
  const { log } = keepingLog();
  return { api: defineApi({ resources: [author, book, tag], store: change(store), log, auth }), calls };
}

const AUSTEN = {
  id: 1,
  name: "Austen",
  bookCount: 2,
  novels: 2,
  total: "10.30",
  pages: 301,
  averagePages: 150.5,
  averagePrice: "5.15000000",
  first: "1811-01-01",
  last: "1817-12-20",
};
const NOBODY = {
  id: 3,
  name: "Nobody",
  bookCount: 0,
  novels: 0,
  total: null,
  pages: null,
  averagePages: null,
  averagePrice: null,
  first: null,
  last: null,
};

describe.each([
  ["the store", (store: Store) => store],
  ["the engine", withoutValues],
])("%s computes values from related rows", (_, change) => {
  test("of the rows that the caller can read", async () => {
    const { api } = start(change);
    expect((await send(api, "GET", "/authors/1")).body).toEqual(AUSTEN);
    expect((await send(api, "GET", "/authors/3")).body).toEqual(NOBODY);
    expect((await send(api, "GET", "/authors/1", signed)).body).toEqual({
      ...AUSTEN,
      bookCount: 3,
      novels: 3,
      total: "15.30",
      averagePrice: "5.10000000",
      last: "1999-01-01",
      profit: 3,
    });
  });

  test("along links, nested in relations, and in both styles", async () => {
    const { api } = start(change);
    expect((await send(api, "GET", "/tags")).body).toEqual([
      { id: 1, novelCount: 1 },
      { id: 2, novelCount: 1 },
    ]);
    const { body } = await send(api, "GET", "/authors?fields=name,books.id,books.tagCount&sort=name");
    expect(body).toEqual([
      {
        name: "Austen",
        books: [
          { id: 1, tagCount: 2 },
          { id: 2, tagCount: 0 },
        ],
      },
      { name: "Nobody", books: [] },
      { name: "Woolf", books: [{ id: 4, tagCount: 1 }] },
    ]);
    expect(await ask(api, "{ books { nodes { id author { bookCount total averagePages } } } }")).toEqual({
      data: {
        books: {
          nodes: [
            { id: "1", author: { bookCount: 2, total: "10.30", averagePages: 150.5 } },
            { id: "2", author: { bookCount: 2, total: "10.30", averagePages: 150.5 } },
            { id: "4", author: { bookCount: 1, total: "7.00", averagePages: null } },
          ],
        },
      },
    });
  });

  test("in responses to writes and in events", async () => {
    const { api } = start(change);
    const changes = api.local.author.watch({ select: { bookCount: true } });
    const next = changes.next();
    const patched = await send(api, "PATCH", "/authors/1", { body: { name: "Jane Austen" } });
    expect(patched.body).toEqual({ ...AUSTEN, name: "Jane Austen" });
    expect((await next).value).toMatchObject({ kind: "updated", item: { bookCount: 2 } });
    const created = await send(api, "POST", "/authors", { body: { id: 4, name: "New" } });
    expect(created.body).toEqual({ ...NOBODY, id: 4, name: "New" });
    await changes.return?.();
  });
});

test("a list with values is one call of the store, and each relation one more", async () => {
  const { api, calls } = start();
  await send(api, "GET", "/authors?fields=name,bookCount,total,averagePages");
  expect(calls).toEqual(["author.list"]);
  calls.length = 0;
  await send(api, "GET", "/authors?fields=bookCount,books.tagCount");
  expect(calls).toEqual(["author.list", "book.listPer(3)"]);
  calls.length = 0;
  await ask(api, "{ books { nodes { author { bookCount } } } }");
  expect(calls).toEqual(["book.list", "author.byKeys(2)"]);
});

test("a row with values is one call of the store", async () => {
  const { api, calls } = start();
  expect(await send(api, "GET", "/authors/1")).toMatchObject({ body: { bookCount: 2 } });
  expect(await send(api, "GET", "/books/1", signed)).toMatchObject({ body: { tagCount: 2 } });
  await ask(api, "{ author(id: 1) { bookCount } }");
  expect(calls).toEqual(["author.byKeys(1)", "book.byKeys(1)", "author.byKeys(1)"]);
});

describe("filters and sorts", () => {
  const names = async (query: string, parts: object = {}): Promise<unknown> => {
    const { status, body } = await send(start().api, "GET", `/authors?fields=name&${query}`, parts);
    return status === 200 ? (body as { name: string }[]).map(({ name }) => name) : [status, body];
  };

  test.each([
    ["filter[bookCount]=2", ["Austen"]],
    ["filter[bookCount][gte]=1&sort=bookCount", ["Woolf", "Austen"]],
    ["filter[novels]=0&sort=name", ["Nobody", "Woolf"]],
    ["filter[total][gt]=9.99", ["Austen"]],
    ["filter[total][isNull]=true", ["Nobody"]],
    ["filter[averagePages]=150.5", ["Austen"]],
    ["filter[averagePages][lt]=150.5", []],
    ["filter[averagePages][isNull]=true&sort=name", ["Nobody", "Woolf"]],
    ["filter[averagePrice]=5.15", ["Austen"]],
    ["filter[averagePrice][gt]=5.15&sort=averagePrice", ["Woolf"]],
    ["sort=-averagePrice", ["Nobody", "Woolf", "Austen"]],
    ["filter[not][bookCount]=2&sort=name", ["Nobody", "Woolf"]],
    ["sort=-bookCount", ["Austen", "Woolf", "Nobody"]],
    ["sort=total", ["Woolf", "Austen", "Nobody"]],
    ["sort=-last", ["Nobody", "Woolf", "Austen"]],
  ])("%s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test("only visible rows count", async () => {
    expect(await names("filter[bookCount]=3")).toEqual([]);
    expect(await names("filter[bookCount]=3", signed)).toEqual(["Austen"]);
    expect(await names("filter[averagePrice]=5.1")).toEqual([]);
    expect(await names("filter[averagePrice]=5.1", signed)).toEqual(["Austen"]);
  });

  test("cursors continue in the order of a value", async () => {
    const { api } = start();
    const seen: string[] = [];
    let after = "";
    for (let page = 0; page < 3; page++) {
      const { data: found } = await ask(
        api,
        `{ authors(first: 1, sort: [BOOK_COUNT_DESC]${after}) { nodes { name } pageInfo { endCursor } } }`,
      );
      const { nodes, pageInfo } = (found as Record<string, unknown>)["authors"] as {
        nodes: { name: string }[];
        pageInfo: { endCursor: string };
      };
      seen.push(...nodes.map(({ name }) => name));
      after = `, after: "${pageInfo.endCursor}"`;
    }
    expect(seen).toEqual(["Austen", "Woolf", "Nobody"]);
  });

  test("along a relation", async () => {
    const { api } = start();
    const ids = async (query: string) =>
      ((await send(api, "GET", `/books?fields=id&${query}`)).body as { id: number }[]).map(({ id }) => id);
    expect(await ids("filter[author.bookCount]=1")).toEqual([4]);
    expect(await ids("sort=author.bookCount,-tagCount")).toEqual([4, 1, 2]);
  });

  test("a store that can't compute values refuses them", async () => {
    const { api } = start(withoutValues);
    expect(await send(api, "GET", "/authors?sort=bookCount")).toMatchObject({ status: 400 });
    expect(await send(api, "GET", "/authors?filter[bookCount]=1")).toMatchObject({ status: 400 });
  });

  test("subscriptions and bulk writes refuse them", async () => {
    const { api } = start();
    const watching = api.local.author.watch({ filter: { bookCount: { gt: 1 } } }).next();
    await expect(watching).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("access", () => {
  test("a value of a field that the caller can't read is hidden (A37)", async () => {
    const { api } = start();
    expect((await send(api, "GET", "/authors/1")).body).not.toHaveProperty("profit");
    expect(await send(api, "GET", "/authors?fields=profit")).toMatchObject({ status: 403 });
    expect((await ask(api, "{ author(id: 1) { profit } }")).errors).toMatchObject([{ path: ["author", "profit"] }]);
    expect(await api.as(asSystem("a test")).author.get(1, { select: { profit: true } })).toEqual({ profit: 3 });
  });

  test("caches keep responses to themselves, because rules decide which rows count", async () => {
    const { api } = start();
    const { headers } = await send(api, "GET", "/authors?fields=bookCount");
    expect(headers["Cache-Control"]).toBe("private, no-cache");
    const one = await send(api, "GET", "/authors/1");
    const other = await send(api, "GET", "/authors/1", signed);
    expect(one.headers["ETag"]).not.toBe(other.headers["ETag"]);
  });
});

describe("mistakes at start", () => {
  const fields = { id: z.int32(), authorId: z.int32(), title: z.string() };
  const mistakesOf = (config: object): readonly object[] => {
    const child = defineResource("child", { fields, relations: { up: belongsTo("parent", "authorId") }, access });
    const relations = { children: hasMany("child", "authorId") };
    const parent = defineResource("parent", { fields: { id: z.int32() }, relations, access, ...config });
    try {
      defineApi({ resources: [parent, child], log: keepingLog().log });
      return [];
    } catch (thrown) {
      return (thrown as { mistakes: readonly object[] }).mistakes;
    }
  };

  test.each([
    [{ computed: { a: count("child") } }, "'parent' has no relation 'child'."],
    [{ computed: { a: sum("children", "tilte") } }, "Unknown field 'tilte' of 'child'."],
    [
      { computed: { a: sum("children", "title") } },
      "sum can't be computed from 'child.title', which holds string values.",
    ],
    [
      { computed: { a: count("children", { tilte: "x" }) } },
      "'child' can't be filtered by 'tilte'. Did you mean 'title'? Available: id, authorId, title, up, and, or, not.",
    ],
    [
      { computed: { a: count("children", { note: "x" }) } },
      "'child' can't be filtered by 'note'. Available: id, authorId, title, up, and, or, not.",
    ],
    [{ computed: { a: { ...count("children"), aggregate: "median" } } }, "Unknown function 'median'."],
  ])("%o", (config, problem) => {
    expect(mistakesOf(config)).toContainEqual({ at: "parent.computed.a", problem, fix: expect.any(String) });
  });
});

test("soft-deleted rows don't count", async () => {
  const shelf = defineResource("shelf", {
    plural: "shelves",
    fields: { id: z.int32() },
    relations: { items: hasMany("item", "shelfId") },
    computed: { size: count("items") },
    access,
    filterable: ["size"],
    sortable: ["size"],
  });
  const item = defineResource("item", {
    fields: { id: z.int32(), shelfId: z.int32(), deletedAt: z.iso.datetime().nullable() },
    relations: { shelf: belongsTo("shelf", "shelfId") },
    softDelete: "deletedAt",
    access,
  });
  const rows = {
    shelf: [{ id: 1 }, { id: 2 }],
    item: [1, 2, 3].map((id) => ({ id, shelfId: id < 3 ? 1 : 2, deletedAt: null })),
  };
  const api = defineApi({
    resources: [shelf, item],
    store: countingStore({ data: rows }).store,
    log: keepingLog().log,
  });
  await send(api, "DELETE", "/items/1");
  await send(api, "DELETE", "/items/2");
  const sizes = [
    { id: 1, size: 0 },
    { id: 2, size: 1 },
  ];
  expect((await send(api, "GET", "/shelves?sort=size")).body).toEqual(sizes);
  expect((await send(api, "GET", "/shelves?sort=-size")).body).toEqual([...sizes].reverse());
  expect((await send(api, "GET", "/shelves?filter[size]=0")).body).toEqual(sizes.slice(0, 1));
});
