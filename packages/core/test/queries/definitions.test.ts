import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, deny, hasMany } from "../../src/index.ts";
import { explainAccess } from "../../src/explain/explain-access.ts";
import { send } from "../request.ts";
import { startBookshop } from "./bookshop.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const rows = { on: "collection", access: allow, run: () => ({}) };

/** The mistakes in a resource, without their fixes. */
function mistakesOf(config: object): readonly string[] {
  try {
    defineApi({
      resources: [defineResource("book", { fields: { id: z.uuid() }, access, ...config })],
    });
    return [];
  } catch (thrown) {
    return (thrown as { mistakes: { at: string; problem: string }[] }).mistakes.map(
      ({ at, problem }) => `${at}: ${problem}`,
    );
  }
}

describe("start-up rejects", () => {
  test.each<[string, object, string]>([
    ["a query that isn't one", { queries: { a: { on: "item" } } }, "book.queries.a: Expected a query."],
    [
      "a query without a rule",
      { queries: { a: { ...rows, access: undefined } } },
      "book.queries.a.access: The rule is missing.",
    ],
    [
      "a query on nothing",
      { queries: { a: { ...rows, on: "row" } } },
      "book.queries.a.on: 'row' is not a valid value.",
    ],
    [
      "an unknown option",
      { queries: { a: { ...rows, filter: {} } } },
      "book.queries.a.filter: Unknown option 'filter'.",
    ],
    [
      "a name that could be the id of a row",
      { fields: { id: z.string() }, queries: { topTen: rows } },
      "book.queries.topTen: 'top-ten' could also be the id of a row, because the schema of 'id' accepts it.",
    ],
    [
      "the path of an action",
      { actions: { top: { on: "collection", access: allow, run: () => null } }, queries: { top: rows } },
      "book.queries.top: The action 'top' already uses this path.",
    ],
    [
      "the path of a relation",
      { relations: { parts: hasMany("book", "id") }, queries: { parts: { ...rows, on: "item" } } },
      "book.queries.parts: The relation 'parts' already uses this path.",
    ],
    [
      "the path of another query",
      { queries: { topTen: rows, top_ten: rows, TopTen: rows } },
      "book.queries.TopTen: The query 'topTen' already uses this path.",
    ],
    [
      "an input that isn't an object",
      { queries: { a: { ...rows, input: z.string() } } },
      "book.queries.a.input: The input of a query must be an object, because its members are parameters.",
    ],
    [
      "an input with a parameter of lists",
      { queries: { a: { ...rows, input: z.object({ sort: z.string() }) } } },
      "book.queries.a.input.sort: 'sort' is a parameter of lists.",
    ],
    [
      "an input with an invalid name",
      { queries: { a: { ...rows, input: z.object({ "a-b": z.string() }) } } },
      "book.queries.a.input.a-b: 'a-b' is not a valid parameter name.",
    ],
    [
      "an operation without effect",
      { operations: ["get", "query"] },
      "book.operations: 'query' has no effect: 'book' has no queries.",
    ],
    [
      "the rules of a relation that doesn't exist",
      { queries: { a: { ...rows, access: 5 } } },
      "book.queries.a.access: ",
    ],
  ])("%s", (_, config, mistake) => {
    expect(mistakesOf(config)).toContainEqual(expect.stringContaining(mistake));
  });
  test("two fields of GraphQL with one name", () => {
    expect(() =>
      defineApi({
        resources: [
          defineResource("book", {
            fields: { id: z.uuid(), pages: z.int() },
            access,
            aggregatable: ["pages"],
            queries: { aggregate: { on: "collection", output: z.int(), access: allow, run: () => 1 } },
          }),
        ],
      }),
    ).toThrow("booksAggregate");
  });
});

describe("operations", () => {
  const start = (operations: object) =>
    defineApi({
      resources: [
        defineResource("book", {
          fields: { id: z.uuid() },
          access,
          queries: { top: { on: "collection", access: allow, run: () => ({}) } },
          ...operations,
        }),
      ],
    });
  test("a list leaves queries out unless it has 'query'", async () => {
    expect((await send(start({ operations: ["get"] }), "GET", "/books/top")).status).toBe(404);
    expect((await send(start({ operations: ["query"] }), "GET", "/books/top")).status).toBe(200);
    const api = start({ operations: { rest: ["query"], graphql: ["get"] } });
    expect((await send(api, "GET", "/books/top")).status).toBe(200);
    expect(api.graphql.sdl()).not.toContain("topBooks");
    expect((await api.local.book.queries.top()).items).toEqual([]);
  });
  test("rows that no caller can read have no queries, but a value has", async () => {
    const api = defineApi({
      resources: [
        defineResource("book", {
          fields: { id: z.uuid() },
          access: { ...access, read: deny },
          queries: {
            top: { on: "collection", access: allow, run: () => ({}) },
            size: {
              on: "collection",
              output: z.int(),
              access: allow,
              run: async ({ store }) => (await store.list()).length,
            },
          },
        }),
      ],
    });
    expect((await send(api, "GET", "/books/top")).status).toBe(404);
    expect((await send(api, "GET", "/books/size")).body).toBe(0);
  });
});

describe("explanations", () => {
  test("name the rules of a query", async () => {
    const { api } = startBookshop();
    const { text } = await explainAccess(api, null, { kind: "list", resource: "book", query: { name: "mine" } });
    expect(text).toContain("list book mine");
    expect(text).toMatch(/call book\.mine: no\n\s+book\.access\.read[^\n]*\n\s+book\.queries\.mine\.access = signedIn/);
    const value = await explainAccess(api, null, { kind: "query", resource: "book", query: { name: "stats" } });
    expect(value.decisions.map(({ subject, answer }) => [subject, answer])).toEqual([["book.stats", "yes"]]);
    await expect(
      explainAccess(api, null, { kind: "query", resource: "book", query: { name: "none" } }),
    ).rejects.toThrow(TypeError);
  });
});

describe("OpenAPI", () => {
  test("describes the parameters and the results of queries", async () => {
    const { api } = startBookshop();
    const { body } = await send(api, "GET", "/openapi.json");
    const { paths } = body as {
      paths: Record<string, { get: { parameters: { name?: string; required?: boolean }[]; responses: object } }>;
    };
    const trending = paths["/books/trending"]?.get;
    expect(trending).toMatchObject({
      operationId: "trendingBooks",
      description: "The best-selling books since a year.",
    });
    expect(trending?.parameters).toContainEqual({
      name: "year",
      in: "query",
      required: true,
      description: "The `year` of the query.",
      schema: { type: "integer", minimum: 1900, maximum: 2147483647 },
    });
    expect(trending?.parameters).toContainEqual(expect.objectContaining({ name: "range", style: "deepObject" }));
    expect(trending?.parameters).toContainEqual(expect.objectContaining({ name: "filter[genre][eq]" }));
    expect(paths["/books/{id}/summary"]?.get.responses).toMatchObject({
      "200": { content: { "application/json": { schema: { properties: { text: { type: "string" } } } } } },
      "404": {},
      "422": {},
    });
    expect(paths["/books/never"]).toBeUndefined();
  });
});
