import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  functionStore,
  hasMany,
  memoryStore,
  type Principal,
  signedIn,
  silentLog,
} from "../src/index.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const ann: Principal = { id: "ann" };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), hidden: z.boolean() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...access, read: ({ principal }) => (principal === null ? { hidden: { eq: false } } : true) },
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), notes: z.string().nullable(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access: { ...access, fields: { notes: { read: signedIn } } },
  search: ["title", "author.name", "notes"],
  filterable: ["id"],
  sortable: ["title"],
});
const secret = defineResource("secret", {
  fields: { id: z.int32(), text: z.string() },
  access: { ...access, fields: { text: { read: signedIn } } },
  search: ["text"],
});

const DATA = {
  author: [
    { id: 1, name: "Jane Austen", hidden: false },
    { id: 2, name: "Émile Zola", hidden: false },
    { id: 3, name: "Emma Secret", hidden: true },
  ],
  book: [
    { id: 1, title: "Emma", authorId: 1, notes: null },
    { id: 2, title: "Sense and Sensibility", authorId: 1, notes: "about emma" },
    { id: 3, title: "Germinal", authorId: 2, notes: null },
    { id: 4, title: "Emmanuelle", authorId: 2, notes: null },
    { id: 5, title: "Ghosts", authorId: 3, notes: null },
    { id: 6, title: "The Emma Book", authorId: 2, notes: null },
  ],
  secret: [{ id: 1, text: "emma" }],
};

function create() {
  return defineApi({
    resources: [author, book, secret],
    store: memoryStore({ data: DATA }),
    auth: apiKeys({ "key-of-ann-0123456789": ann }),
    log: silentLog,
  });
}
const SIGNED_IN = { headers: { "x-api-key": "key-of-ann-0123456789" } };

describe("a search", () => {
  const api = create();
  const restIds = async (query: string, parts = {}): Promise<unknown> => {
    const { status, body } = await send(api, "GET", `/books?fields=id&${query}`, parts);
    return status === 200 ? (body as { id: number }[]).map(({ id }) => id) : body;
  };
  const graphqlIds = async (search: string): Promise<unknown> => {
    const { data } = await ask(api, `{ books(search: ${JSON.stringify(search)}) { nodes { id } } }`);
    return (data as { books: { nodes: { id: string }[] } }).books.nodes.map(({ id }) => Number(id));
  };

  test.each<[search: string, ids: readonly number[]]>([
    ["emma", [1, 6, 4]],
    ["EMMA", [1, 6, 4]],
    ["émm", [1, 4, 6]],
    ["mma", []],
    ["emile", [3, 4, 6]],
    ["emma zola", [6]],
    ["zola emma", [6, 4]],
    ["austen, jane!", [1, 2]],
    ["emma secret", []],
    ["sense and", [2]],
  ])("for %j finds the same rows in both styles and in process", async (search, ids) => {
    expect(await restIds(`q=${encodeURIComponent(search)}`)).toEqual(ids);
    expect(await graphqlIds(search)).toEqual(ids);
    expect((await api.local.book.list({ search })).items.map(({ id }) => id)).toEqual(ids);
    const { body } = await send(api, "QUERY", "/books", { body: { q: search, fields: ["id"] } });
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(ids);
  });

  test("pages by relevance with cursors, counts, and combines with filters and sorts", async () => {
    const ids: number[] = [];
    let after: string | undefined;
    do {
      const page = after === undefined ? { size: 1 } : { size: 1, after };
      const { items, hasNext, endCursor, total } = await api.local.book.list({ search: "emma", count: true, page });
      expect(total).toBe(3);
      ids.push(...items.map(({ id }) => id));
      after = hasNext ? (endCursor as string) : undefined;
    } while (after !== undefined);
    expect(ids).toEqual([1, 6, 4]);
    expect(await restIds("q=emma&sort=-title")).toEqual([6, 4, 1]);
    expect(await restIds("q=emma&filter[id][gt]=1")).toEqual([6, 4]);
    expect(await restIds("q=")).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("binds a cursor to its words", async () => {
    const { endCursor } = await api.local.book.list({ search: "emma", page: { size: 1 } });
    for (const options of [{ search: "emm" }, {}, { search: "emma", sort: ["title"] as const }]) {
      const read = api.local.book.list({ ...options, page: { after: endCursor as string } });
      await expect(read).rejects.toMatchObject({ code: "BAD_REQUEST" });
    }
    const sorted = await api.local.book.list({ search: "emma", sort: ["title"], page: { size: 1 } });
    const other = api.local.book.list({ search: "zola", sort: ["title"], page: { after: sorted.endCursor as string } });
    await expect(other).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  test("works in nested lists of all styles", async () => {
    expect(await send(api, "GET", "/authors/2/books?q=emma&fields=id")).toMatchObject({ body: [{ id: 6 }, { id: 4 }] });
    expect(await send(api, "GET", "/authors/2?fields=id&include=books&rel[books][q]=germinal")).toMatchObject({
      body: { books: [{ id: 3 }] },
    });
    expect(await ask(api, `{ authors { nodes { id books(search: "emma") { totalCount nodes { id } } } } }`)).toEqual({
      data: {
        authors: {
          nodes: [
            { id: "1", books: { totalCount: 1, nodes: [{ id: "1" }] } },
            { id: "2", books: { totalCount: 2, nodes: [{ id: "6" }, { id: "4" }] } },
          ],
        },
      },
    });
    const select = { books: { search: "germinal", select: { id: true } } } as const;
    expect(await api.local.author.get(2, { select })).toEqual({ books: [{ id: 3 }] });
  });

  test("leaves out fields that the caller can't read on every row, and hidden related rows (A37)", async () => {
    expect(await restIds("q=about")).toEqual([]);
    expect(await restIds("q=about", SIGNED_IN)).toEqual([2]);
    expect(await restIds("q=secret")).toEqual([]);
    expect(await restIds("q=secret", SIGNED_IN)).toEqual([5]);
  });

  test("leaves out a relation that the caller can't read", async () => {
    const tree = defineResource("tree", {
      fields: { id: z.int32(), name: z.string(), parentId: z.int32().nullable() },
      relations: { parent: belongsTo("tree", "parentId") },
      access: { ...access, relations: { parent: { read: signedIn } } },
      search: ["name", "parent.name"],
    });
    const rows = [
      { id: 1, name: "oak", parentId: null },
      { id: 2, name: "elm", parentId: 1 },
    ];
    const trees = defineApi({ resources: [tree], store: memoryStore({ data: { tree: rows } }), log: silentLog });
    const ids = async (principal: Principal | null): Promise<unknown> =>
      (await trees.as(principal).tree.list({ search: "oak" })).items.map(({ id }) => id);
    expect(await ids(null)).toEqual([1]);
    expect(await ids(ann)).toEqual([1, 2]);
  });

  test("ignores related rows that are soft-deleted, also in the order", async () => {
    const owner = defineResource("owner", {
      fields: { id: z.int32(), name: z.string(), deletedAt: z.iso.datetime().nullable() },
      softDelete: "deletedAt",
      access,
    });
    const cat = defineResource("cat", {
      fields: { id: z.int32(), name: z.string(), ownerId: z.int32() },
      relations: { owner: belongsTo("owner", "ownerId") },
      access,
      search: ["owner.name", "name"],
    });
    const data = {
      owner: [
        { id: 1, name: "Tom", deletedAt: "2026-01-01T00:00:00.000Z" },
        { id: 2, name: "Ann", deletedAt: null },
      ],
      cat: [
        { id: 1, name: "Kim", ownerId: 1 },
        { id: 2, name: "Tom", ownerId: 2 },
        { id: 3, name: "Tom", ownerId: 1 },
      ],
    };
    const cats = defineApi({ resources: [owner, cat], store: memoryStore({ data }), log: silentLog });
    const { items } = await cats.local.cat.list({ search: "tom" });
    expect(items.map(({ id }) => id)).toEqual([2, 3]);
  });

  test("is refused if the caller can't read any of the fields", async () => {
    expect(await send(api, "GET", "/secrets?q=emma")).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("You can't search secrets") as string },
    });
    expect(await send(api, "GET", "/secrets?q=emma", SIGNED_IN)).toMatchObject({ status: 200, body: [{ id: 1 }] });
  });

  test.each([
    ["/authors?q=emma", "'author' can't be searched"],
    ["/books?q=%21%21", "The search contains no words."],
    [`/books?q=${"a".repeat(201)}`, "at most 200 characters"],
    [`/books?q=${Array.from({ length: 11 }, (_, at) => `w${at}`).join("+")}`, "at most 10 words"],
    ["/books?q[a]=emma", "must be a string"],
    ["/books?search=emma", "Unknown parameter 'search'. Use 'q'."],
  ])("fails with 400: %s", async (url, detail) => {
    expect(await send(api, "GET", url)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) as string },
    });
  });

  test("isn't a part of event streams", async () => {
    const headers = { accept: "text/event-stream" };
    expect(await send(api, "GET", "/books?q=emma", { headers })).toMatchObject({ status: 400 });
  });

  test("appears in both schemas and on HTML pages only where it is declared", async () => {
    const sdl = api.graphql.sdl();
    expect(sdl.match(/search: String/g)).toHaveLength(3);
    const { body } = await send(api, "GET", "/openapi.json");
    const { paths } = body as { paths: Record<string, { get?: { parameters?: { name?: string }[] } }> };
    const names = (path: string): unknown => paths[path]?.get?.parameters?.map(({ name }) => name);
    expect(names("/books")).toContain("q");
    expect(names("/authors")).not.toContain("q");
    const page = async (path: string): Promise<string> => {
      const response = await api.handle({
        ...(await import("./request.ts")).request("GET", path, { headers: { accept: "text/html" } }),
      });
      return response?.body as string;
    };
    expect(await page("/books?q=emma&sort=title")).toMatch(/<input type="search" name="q" value="emma"/);
    expect(await page("/authors")).not.toContain('name="q"');
  });

  test("costs as much as its conditions", async () => {
    const costly = defineApi({
      resources: [author, book],
      store: memoryStore({ data: { author: DATA.author, book: DATA.book } }),
      limits: { query: { cost: 1_000 } },
      log: silentLog,
    });
    expect(await send(costly, "GET", "/books?q=emma")).toMatchObject({ status: 200 });
    expect(await send(costly, "GET", "/books?q=a+b+c+d")).toMatchObject({ status: 400 });
  });
});

describe("the definition of a search", () => {
  const mistakes = (search: unknown): unknown => {
    const bad = defineResource("book", {
      fields: { id: z.int32(), title: z.string(), secret: z.string().nullable(), authorId: z.int32() },
      relations: { author: belongsTo("author", "authorId") },
      access,
      internal: ["secret"],
      search: search as never,
    });
    try {
      defineApi({ resources: [author, bad], log: silentLog });
      return undefined;
    } catch (thrown) {
      return (thrown as { mistakes: { at: string; problem: string; fix: string }[] }).mistakes.map(
        ({ at, problem, fix }) => `${at}: ${problem} ${fix}`,
      );
    }
  };
  test.each([
    ["title", 'book.search: Expected a list. Pass a list of text fields: ["title", "author.name"].'],
    [["titl"], "book.search[0]: Unknown field 'titl'. Did you mean 'title'?"],
    [["author.nam"], "book.search[0]: Unknown field 'author.nam'. Did you mean 'author.name'?"],
    [["id"], "book.search[0]: 'id' isn't a text field. Search z.string() fields."],
    [["secret"], "book.search[0]: 'secret' is internal. Search fields that callers can read."],
    [["title", "title"], "book.search[1]: 'title' appears twice. Remove one of them."],
  ])("rejects %j", (search, mistake) => {
    expect(mistakes(search)).toEqual([mistake]);
  });

  test("rejects a store without searches", () => {
    const store = functionStore({ secret: { list: () => [] } });
    expect(() => defineApi({ resources: [secret], store, log: silentLog })).toThrow("doesn't support searches");
  });
});
