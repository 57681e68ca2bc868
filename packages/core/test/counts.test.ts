import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "../src/index.ts";
import { csv, hal, htmlPages, jsonApi, ndjson, xml } from "../src/formats.ts";
import { answerText } from "./answer.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  filterable: ["id"],
  exactCount: true,
  access,
});

/** Twelve books of one author and thirteen authors, counted up to eleven. */
function start() {
  const ids = (length: number): readonly number[] => Array.from({ length }, (_, at) => at + 1);
  return defineApi({
    resources: [author, book],
    store: memoryStore({
      data: { author: ids(13).map((id) => ({ id })), book: ids(12).map((id) => ({ id, authorId: 1 })) },
    }),
    limits: { query: { count: 11 } },
    formats: [jsonApi, hal, xml, csv, ndjson, htmlPages],
    graphql: { cost: true },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
}
const api = start();
const total = async (path: string) => (await send(api, "GET", path)).headers["Total-Count"];

describe("REST", () => {
  test("marks a total that stopped at the limit, with a structured field", async () => {
    expect(await total("/books?count=true")).toBe("11;exact=?0");
    expect(await total("/authors/1/books?count=true")).toBe("11;exact=?0");
    expect(await total("/books?count=true&filter[id][lte]=10")).toBe("10");
    expect(await total("/books?count=true&filter[id][lte]=11")).toBe("11;exact=?0");
    expect(await total("/books")).toBeUndefined();
  });

  test("counts without a limit where the resource allows it", async () => {
    expect(await total("/books?count=exact")).toBe("12");
    expect(await total("/authors/1/books?count=exact")).toBe("12");
    const body = { count: "exact", page: { size: 1 } };
    expect((await send(api, "QUERY", "/books", { body })).headers["Total-Count"]).toBe("12");
  });

  test.each(["/authors?count=exact", "/books/1?count=exact", "/books?count=all"])("rejects %s", async (path) => {
    expect((await send(api, "GET", path)).status).toBe(400);
  });

  test("explains why an exact count is not available", async () => {
    expect((await send(api, "GET", "/authors?count=exact")).body).toMatchObject({
      errors: [{ path: ["count"], message: "'count=exact' is not available for 'author'. Use 'count=true'." }],
    });
  });

  test.each<[accept: string, path: string, part: string]>([
    ["application/vnd.api+json", "/books?count=true", '"meta":{"total":11,"totalIsExact":false}'],
    ["application/vnd.api+json", "/books?count=exact", '"meta":{"total":12,"totalIsExact":true}'],
    ["application/vnd.api+json", "/authors/1/relationships/books?count=true", '"total":11,"totalIsExact":false'],
    ["application/vnd.api+json", "/authors/1/relationships/books?count=exact", '"total":12,"totalIsExact":true'],
    ["application/hal+json", "/books?count=true", '"total":11,"totalIsExact":false'],
    ["application/xml", "/books?count=true", 'total="11" totalIsExact="false"'],
    ["text/html", "/books?count=true&page[size]=2", "2 books of more than 10."],
    ["text/html", "/books?count=true&page[size]=2", "Count exactly</a>"],
    ["text/html", "/books?count=exact&page[size]=2", "2 books of 12. </p>"],
    ["text/html", "/authors?count=true&page[size]=2", "2 authors of more than 10. </p>"],
  ])("reports it in %s: %s", async (accept, path, part) => {
    expect((await answerText(api, "GET", path, { headers: { accept } })).text).toContain(part);
  });

  test.each(["text/csv", "application/x-ndjson"])("marks the total of a whole list as %s", async (accept) => {
    const { headers } = await answerText(api, "GET", "/books?count=true", { headers: { accept } });
    expect(headers["Total-Count"]).toBe("11;exact=?0");
  });

  const EMBEDDED = "/authors?include=books&fields=id,books.id&page[size]=2&rel[books][page][size]=1&rel[books]";

  test.each<[accept: string, query: string, part: string]>([
    ["application/json", "[count]=true", '{"id":1,"books":[{"id":1}],"books@count":11,"books@countIsExact":false}'],
    ["application/json", "[count]=true", '{"id":2,"books":[],"books@count":0}'],
    ["application/json", "[count]=exact", '{"id":1,"books":[{"id":1}],"books@count":12}'],
    ["application/json", "[count]=true&rel[books][filter][id][gt]=7", '"books":[{"id":8}],"books@count":5}'],
    ["application/json", "[count]=false", '{"id":1,"books":[{"id":1}]}'],
    ["application/x-ndjson", "[count]=exact", '{"id":1,"books":[{"id":1}],"books@count":12}\n'],
    [
      "application/vnd.api+json",
      "[count]=true",
      '"data":[{"type":"books","id":"1"}],"meta":{"total":11,"totalIsExact":false}',
    ],
    ["application/hal+json", "[count]=exact", '{"id":1,"books@count":12,"_links"'],
    ["application/xml", "[count]=exact", '<member name="books@count">12</member>'],
    ["text/csv", "[count]=exact", 'id,books,books@count\r\n1,"[{""id"":1}]",12\r\n2,[],0\r\n'],
    ["text/html", "[count]=true", "more than 10 in total"],
    ["text/html", "[count]=exact", "12 in total"],
  ])("counts embedded rows in %s: rel[books]%s", async (accept, query, part) => {
    const { status, text } = await answerText(api, "GET", EMBEDDED + query, { headers: { accept } });
    expect(status).toBe(200);
    expect(text).toContain(part);
  });

  test("counts the embedded rows of a single row and at every level", async () => {
    const path = "/books/1?include=author.books&fields=id,author.id,author.books.id&rel[author.books][count]=exact";
    const { body } = await send(api, "GET", `${path}&rel[author.books][page][size]=1`);
    expect(body).toEqual({ id: 1, author: { id: 1, books: [{ id: 1 }], "books@count": 12 } });
    const query = { include: ["books"], rel: { books: { count: "exact", page: { size: 1 } } }, page: { size: 1 } };
    expect((await send(api, "QUERY", "/authors", { body: query })).body).toMatchObject([{ "books@count": 12 }]);
  });

  test.each([
    ["/authors?include=books&rel[books][count]=all", "'count' must be 'true', 'false' or 'exact'."],
    [
      "/books?include=author&rel[author][count]=true",
      "'author' is a single row and can't be filtered, sorted or paged.",
    ],
    ["/authors?rel[books][count]=true", "'books' is not included. Add include=books, or name it in 'fields'."],
  ])("rejects %s", async (path, message) => {
    const { status, body } = await send(api, "GET", path);
    expect([status, (body as { errors: { message: string }[] }).errors[0]?.message]).toEqual([400, message]);
  });

  test("describes `exact` only where it is available", () => {
    const { paths, components } = api.openapi("", "3.2") as unknown as {
      readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly { $ref?: string }[] } }>>;
      readonly components: {
        readonly parameters: Readonly<Record<string, object>>;
        readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, object>> }>>;
      };
    };
    const refs = (path: string) => paths[path]?.get.parameters.map(({ $ref }) => $ref?.split("/").at(-1));
    expect(refs("/books")).toContain("exactCount");
    expect(refs("/books")).not.toContain("count");
    expect(refs("/authors")).toContain("count");
    expect(components.parameters["exactCount"]).toMatchObject({
      name: "count",
      schema: { enum: [true, false, "exact"] },
    });
    expect(components.schemas["BookQuery"]?.properties["count"]).toEqual({
      enum: [true, false, "exact"],
      default: false,
    });
    expect(components.schemas["AuthorQuery"]?.properties["count"]).toEqual({ type: "boolean", default: false });
  });
});

describe("GraphQL", () => {
  test.each<[selection: string, counts: object]>([
    ["totalCount totalCountIsExact", { totalCount: 11, totalCountIsExact: false }],
    ["totalCountIsExact", { totalCountIsExact: false }],
    ["exactTotalCount", { exactTotalCount: 12 }],
    ["totalCount exactTotalCount totalCountIsExact", { totalCount: 12, exactTotalCount: 12, totalCountIsExact: true }],
  ])("returns { %s } at the root and along a relation", async (selection, counts) => {
    const query = `{ books(first: 1) { ${selection} } author(id: 1) { books(first: 1) { ${selection} } } }`;
    expect(await ask(api, query)).toMatchObject({ data: { books: counts, author: { books: counts } } });
  });

  test("has no exact count of a resource that doesn't allow it", async () => {
    const { errors } = await ask(api, "{ authors { exactTotalCount } }");
    expect(errors?.[0]?.message).toMatch(/Cannot query field "exactTotalCount" on type "AuthorConnection"/);
    expect(await ask(api, "{ authors { totalCount totalCountIsExact } }")).toMatchObject({
      data: { authors: { totalCount: 11, totalCountIsExact: false } },
    });
  });

  test("charges a count by its kind", async () => {
    const cost = async (selection: string): Promise<unknown> => {
      const { body } = await send(api, "POST", "/graphql", { body: { query: `{ books(first: 1) { ${selection} } }` } });
      return (body as { readonly extensions?: { readonly cost?: unknown } }).extensions?.cost;
    };
    expect([
      await cost("nodes { id }"),
      await cost("totalCount"),
      await cost("exactTotalCount"),
    ]).toMatchInlineSnapshot(`
      [
        1,
        11,
        1001,
      ]
    `);
  });
});

test("local calls return whether the total is exact", async () => {
  expect(await api.local.book.list({ count: true })).toMatchObject({ total: 11, totalIsExact: false });
  expect(await api.local.book.list({ count: "exact" })).toMatchObject({ total: 12, totalIsExact: true });
  expect(await api.local.book.list()).not.toHaveProperty("totalIsExact");
  await expect(api.local.author.list({ count: "exact" })).rejects.toThrow("not available for 'author'");
  // @ts-expect-error no such count
  await expect(api.local.book.list({ count: "all" })).rejects.toThrow("'count' must be 'true', 'false' or 'exact'.");
});

test("checks the option", () => {
  const wrong = defineResource("wrong", { fields: { id: z.int32() }, access, exactCount: "yes" as never });
  expect(() => defineApi({ resources: [wrong] })).toThrow("wrong.exactCount");
});
