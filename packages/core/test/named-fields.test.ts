import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  type Principal,
  signedIn,
} from "../src/index.ts";
import { answerText } from "./answer.ts";
import { countingStore } from "./counting-store.ts";
import { ask } from "./request.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), email: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access: { ...open, read: () => ({ name: { ne: "Hidden" } }), fields: { email: { read: signedIn } } },
});
// Prices and reviews are for callers who have signed in. Each book decides who sees its editor.
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), price: z.number(), authorId: z.int32().nullable() },
  relations: {
    author: belongsTo("author", "authorId"),
    editor: belongsTo("author", "authorId"),
    reviews: hasMany("review", "bookId"),
  },
  access: {
    ...open,
    fields: { price: { read: signedIn } },
    relations: { reviews: { read: signedIn }, editor: { read: () => ({ title: { eq: "Persuasion" } }) } },
  },
  sortable: ["title", "price"],
  filterable: ["title", "price"],
  aggregatable: ["price"],
  bulk: { create: 5, update: 5 },
  actions: { retitle: { on: "item", access: allow, run: ({ item, store }) => store.update(item.id, { title: "x" }) } },
});
const review = defineResource("review", {
  fields: { id: z.int32(), text: z.string(), bookId: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access: open,
});

const ANN: Principal = { id: "ann" };
const AS_ANN = { "x-api-key": "ann" };

function createLibrary() {
  const { store, calls } = countingStore({
    data: {
      author: [
        { id: 1, name: "Austen", email: "jane@example.com" },
        { id: 2, name: "Hidden", email: "hidden@example.com" },
      ],
      book: [
        { id: 1, title: "Emma", price: 10, authorId: 1 },
        { id: 2, title: "Beowulf", price: 5, authorId: null },
        { id: 3, title: "Persuasion", price: 7, authorId: 1 },
      ],
      review: [{ id: 1, text: "Good", bookId: 1 }],
    },
  });
  const api = defineApi({
    resources: [author, book, review],
    store,
    auth: apiKeys({ ann: ANN }),
  });
  return { api, calls };
}

const CSV = { accept: "text/csv" };
const JSON_API = { accept: "application/vnd.api+json" };
const EVENTS = { accept: "text/event-stream" };

type Headers = Readonly<Record<string, string>>;

async function read(method: string, url: string, headers: Headers = {}, body?: unknown) {
  const { api, calls } = createLibrary();
  const { status, text } = await answerText(api, method, url, { headers, ...(body === undefined ? {} : { body }) });
  return { status, text, calls };
}

/**
 * Returns the code and detail of a problem document. For a JSON:API document, these are the values of its first error.
 */
function problem(text: string): { readonly code?: unknown; readonly detail?: unknown } {
  const { status, code, detail, errors } = JSON.parse(text) as Record<string, unknown>;
  const [error] = (errors ?? []) as readonly Record<string, unknown>[];
  return status === undefined ? { code: error?.["code"], detail: error?.["detail"] } : { code, detail };
}

describe("a REST request that names a hidden field gets 403", () => {
  test.each<[door: string, method: string, url: string, name: string, headers?: Headers, body?: unknown]>([
    ["a list", "GET", "/books?fields=id,price", "price"],
    ["HEAD of a list", "HEAD", "/books?fields=id,price", "price"],
    ["a row", "GET", "/books/1?fields=price", "price"],
    ["HEAD of a row", "HEAD", "/books/1?fields=price", "price"],
    ["a field of a relation", "GET", "/books?fields=title,author.email", "author.email"],
    ["an included relation", "GET", "/books/1?include=reviews", "reviews"],
    ["a field below a hidden relation", "GET", "/books/1?fields=reviews.text", "reviews"],
    ["a nested list", "GET", "/authors/1/books?fields=price", "price"],
    ["a nested row", "GET", "/books/1/author?fields=email", "email"],
    ["QUERY", "QUERY", "/books", "price", {}, { fields: ["id", "price"] }],
    ["CSV", "GET", "/books?fields=id,price", "price", CSV],
    ["nested CSV", "GET", "/authors/1/books?fields=price", "price", CSV],
    ["NDJSON", "GET", "/books?fields=id,price", "price", { accept: "application/x-ndjson" }],
    ["HTML", "GET", "/books/1?fields=price", "price", { accept: "text/html" }],
    ["fields by type in JSON:API", "GET", "/books?fields[books]=title,price", "price", JSON_API],
    [
      "fields by type of an included row",
      "GET",
      "/books/1?include=author&fields[authors]=email",
      "author.email",
      JSON_API,
    ],
    ["an included relation in JSON:API", "GET", "/books?include=reviews", "reviews", JSON_API],
    ["an event stream of a list", "GET", "/books?fields=price", "price", EVENTS],
    ["an event stream of a row", "GET", "/books/1?fields=author.email", "author.email", EVENTS],
    ["an event stream with its rows", "GET", "/books?fields=price&initial=true", "price", EVENTS],
  ])("%s", async (_door, method, url, name, headers, body) => {
    const refused = await read(method, url, headers, body);
    expect(refused.status).toBe(403);
    const detail = `You are not allowed to read '${name}'.`;
    // HEAD has no content, and HTML isn't a problem document.
    const isProblem = method !== "HEAD" && headers?.["accept"] !== "text/html";
    expect(isProblem ? problem(refused.text).detail : detail).toBe(detail);
    // Nothing is rejected if the caller can read it.
    if (headers === EVENTS) return;
    expect(await read(method, url, { ...headers, ...AS_ANN }, body)).toMatchObject({ status: 200 });
  });
});

describe("REST reports other faults of a read first", () => {
  test.each<[fault: string, url: string, status: number, detail: string, headers?: Headers]>([
    ["a row that doesn't exist", "/books/9?fields=price", 404, "There is no book with this id."],
    [
      "a cursor of another list",
      "/books?fields=price&page[after]=x",
      400,
      "The cursor in 'after' belongs to a different list",
    ],
    [
      "a nested cursor of another list",
      "/authors/1/books?fields=price&page[after]=x",
      400,
      "The cursor in 'after' belongs to a different list",
    ],
    [
      "a cursor below a row",
      "/authors/1?include=books&fields=books.price&rel[books][page][after]=x",
      400,
      "The cursor in 'after' belongs to a different list",
    ],
    [
      "a cursor below a list",
      "/authors?include=books&fields=books.price&rel[books][page][after]=x",
      400,
      "The cursor in 'after' belongs to a different list",
    ],
    ["a hidden field in a filter", "/books?fields=price&filter[price]=1", 403, "You can't filter by 'book.price'"],
    ["a hidden field in a sort", "/books?fields=price&sort=price", 403, "You can't sort by 'book.price'"],
    ["a relation without a row", "/books/2/author?fields=email", 404, "This book has no author."],
    ["a parent that doesn't exist", "/books/9/reviews?fields=text", 404, "There is no book with this id."],
    ["a hidden relation", "/books/1/reviews?fields=book.price", 401, "Authentication is required to read reviews."],
    ["a filter of an event stream", "/books?fields=price&filter[price]=1", 403, "You can't filter by", EVENTS],
  ])("%s", async (_fault, url, status, detail, headers) => {
    const refused = await read("GET", url, headers);
    expect(refused.status).toBe(status);
    expect(problem(refused.text)).toMatchObject({ detail: expect.stringContaining(detail) });
  });
});

describe("a hidden field in a condition below a row", () => {
  const BELOW = [
    "/authors/ID?include=books&rel[books][filter][price]=1",
    "/authors/ID?include=books&rel[books][sort]=price",
    "/authors/ID?fields=name&rel[books][aggregate]=max.price",
    "/authors/ID/books?filter[price]=1",
    "/authors/ID/books?aggregate=count&having[max.price][gt]=1",
  ];

  test.each(BELOW)("returns 403 for a row that the caller can see, and otherwise 404: %s", async (url) => {
    const seen = await read("GET", url.replace("ID", "1"));
    expect([seen.status, problem(seen.text).detail]).toEqual([403, expect.stringContaining("'book.price'")]);
    // Author 2 is hidden, and author 9 doesn't exist.
    const [hidden, missing] = [await read("GET", url.replace("ID", "2")), await read("GET", url.replace("ID", "9"))];
    expect([hidden.status, problem(hidden.text).detail]).toEqual([404, "There is no author with this id."]);
    expect(hidden.text.replaceAll("/2", "/9")).toBe(missing.text);
  });

  test("is null in GraphQL for a row that the caller can't see", async () => {
    const { api } = createLibrary();
    const below = "{ books(filter: { price: { eq: 1 } }) { nodes { id } } }";
    for (const id of [2, 9]) {
      expect(await ask(api, `{ author(id: ${id}) ${below} }`)).toEqual({ data: { author: null } });
    }
    const seen = await ask(api, `{ author(id: 1) ${below} }`);
    expect(seen.errors?.[0]).toMatchObject({ extensions: { code: "FORBIDDEN" } });
  });
});

describe("a nested request for a hidden relation", () => {
  test.each<[url: string, relation: string, headers?: Headers]>([
    ["/books/1/reviews", "reviews"],
    ["/books/1/reviews?page[size]=1", "reviews", CSV],
    ["/books/1/editor", "editor"],
    ["/books/1/relationships/reviews", "reviews", JSON_API],
    ["/books/1/relationships/editor", "editor", JSON_API],
  ])("gets 401 from an anonymous caller: %s", async (url, relation, headers) => {
    const refused = await read("GET", url, headers);
    expect(refused.status).toBe(401);
    expect(problem(refused.text)).toMatchObject({ detail: `Authentication is required to read ${relation}.` });
  });

  test.each<[url: string, headers?: Headers]>([["/books/1/editor"], ["/books/1/relationships/editor", JSON_API]])(
    "gets 403 from an authenticated caller if its row hides it: %s",
    async (url, headers) => {
      const refused = await read("GET", url, { ...headers, ...AS_ANN });
      expect(refused.status).toBe(403);
      expect(problem(refused.text)).toMatchObject({ detail: "You are not allowed to read editor." });
    },
  );

  test.each(["/books/3/editor", "/books/3/relationships/editor"])("succeeds if its row shows it: %s", async (url) => {
    expect(await read("GET", url, url.includes("relationships") ? JSON_API : {})).toMatchObject({ status: 200 });
  });

  test("is not refused for keys that a format adds to its rows", async () => {
    expect(await read("GET", "/books/2/author", { accept: "text/html" })).toMatchObject({ status: 404 });
    expect(await read("GET", "/books/1/author?fields=name", JSON_API)).toMatchObject({ status: 200 });
  });
});

test("an unnamed hidden field is omitted", async () => {
  for (const [url, headers] of [
    ["/books/1", {}],
    ["/books", {}],
    ["/authors/1/books", {}],
    ["/books/1?include=author", {}],
    ["/books/1?include=author", JSON_API],
  ] as const) {
    const { status, text } = await read("GET", url, headers);
    expect([status, text]).toEqual([200, expect.not.stringMatching(/price|email/)]);
  }
  expect((await read("GET", "/books", CSV)).text).toContain("1,Emma,,1");
});

test("a list that is refused reads no rows", async () => {
  expect((await read("GET", "/books?fields=price")).calls).toEqual([]);
  expect((await read("GET", "/books?fields=price", CSV)).calls).toEqual([]);
  expect((await read("QUERY", "/books", {}, { fields: ["price"] })).calls).toEqual([]);
});

test("GraphQL returns null and an error for each hidden field, in place of a refusal", async () => {
  const { api } = createLibrary();
  const error = { extensions: { code: "FORBIDDEN" } };
  expect(await ask(api, "{ book(id: 1) { title price author { name email } } }")).toMatchObject({
    data: { book: { title: "Emma", price: null, author: { name: "Austen", email: null } } },
    errors: [
      { ...error, path: ["book", "price"], message: "You are not allowed to read 'price'." },
      { ...error, path: ["book", "author", "email"], message: "You are not allowed to read 'email'." },
    ],
  });
  expect(await ask(api, "{ books(first: 1) { nodes { title price } } }")).toMatchObject({
    data: { books: { nodes: [{ title: "Emma", price: null }] } },
    errors: [{ ...error, path: ["books", "nodes", 0, "price"] }],
  });
  expect(await ask(api, 'mutation { updateBook(id: 1, input: { title: "E" }) { title price } }')).toMatchObject({
    data: { updateBook: { title: "E", price: null } },
    errors: [{ ...error, path: ["updateBook", "price"] }],
  });
});

describe("a local call that selects a hidden field throws FORBIDDEN", () => {
  type Books = ReturnType<typeof createLibrary>["api"]["local"]["book"];
  const select = { price: true } as const;
  const calls: Readonly<Record<string, (books: Books) => Promise<unknown>>> = {
    get: (books) => books.get(1, { select }),
    list: (books) => books.list({ select }),
    watch: (books) => books.watch({ select }).next(),
    create: (books) => books.create({ id: 9, title: "x", price: 1, authorId: null }, { select }),
    createMany: (books) => books.createMany([{ id: 9, title: "x", price: 1, authorId: null }], { select }),
    update: (books) => books.update(1, { title: "x" }, { select }),
    replace: (books) => books.replace(1, { id: 1, title: "x", price: 1, authorId: null }, { select }),
  };
  const refused = { code: "FORBIDDEN", message: "You are not allowed to read 'price'." };

  test.each(Object.keys(calls))("%s", async (name) => {
    const { api } = createLibrary();
    await expect(calls[name]?.(api.as(null).book)).rejects.toMatchObject(refused);
    expect(await api.as(ANN).book.list({ select: { title: true } })).toMatchObject({
      items: [{ title: "Emma" }, { title: "Beowulf" }, { title: "Persuasion" }],
    });
  });

  test.each(["get", "list", "update"])("%s in a transaction", async (name) => {
    const { api } = createLibrary();
    const work = api.transaction(
      async ({ book: books }) => {
        await books.update(2, { title: "changed" });
        return calls[name]?.(books);
      },
      { principal: null },
    );
    await expect(work).rejects.toMatchObject(refused);
    expect(await api.as(ANN).book.get(2)).toMatchObject({ title: "Beowulf" });
  });

  test("but not if no row exists", async () => {
    expect(await createLibrary().api.as(null).book.get(9, { select })).toBeNull();
  });
});

test("rejects an operation of a custom front end that names a hidden field", async () => {
  const { api } = createLibrary();
  const caller = { principal: null, signal: undefined, requestId: () => "1" };
  const selection = { fields: ["title", "price"], relations: [] };
  const named = ["price"];
  const refusal = { kind: "failure", error: { code: "FORBIDDEN" } };
  const list = { kind: "list", resource: "book", sort: [], page: { size: 1 }, selection } as const;
  const get = { kind: "get", resource: "book", key: 1, selection } as const;
  const watch = { kind: "watch", resource: "book", on: ["created"], selection } as const;
  for (const operation of [list, get, watch]) {
    expect(await api.run({ ...operation, named }, caller as never)).toMatchObject(refusal);
  }
  expect(await api.run(list, caller as never)).toMatchObject({ kind: "page" });
  expect(await api.run(get, caller as never)).toMatchObject({ kind: "item" });
});
