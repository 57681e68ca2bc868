import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, deny, hasMany, memoryStore } from "../../src/index.ts";
import { answerText } from "../answer.ts";
import { ask } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), meta: z.json().nullable() },
  relations: { reviews: hasMany("review", "bookId") },
  access,
  filterable: ["title"],
});
const review = defineResource("review", {
  fields: { id: z.int32(), bookId: z.int32(), secret: z.string() },
  relations: { book: belongsTo("book", "bookId") },
  access: { ...access, fields: { secret: { read: deny } } },
});

function createApi() {
  return defineApi({
    resources: [book, review],
    store: memoryStore({
      data: {
        book: [1, 2].map((id) => ({ id, title: `book ${id}`, meta: null })),
        review: Array.from({ length: 100 }, (_, id) => ({ id, bookId: 1, secret: "s" })),
      },
    }),
  });
}

test("applies a condition only to its own operation, even if another one has a variable of that name", async () => {
  const api = createApi();
  const meta = { toString: 1, valueOf: 1 };
  const text =
    "mutation A($v: JSON) { updateBook(id: 1, input: { meta: $v }) { meta } } query B($v: Boolean!) { __typename @skip(if: $v) }";
  const answered = await answerText(api, "POST", "/graphql", {
    body: { query: text, operationName: "A", variables: { v: meta } },
  });
  expect(JSON.parse(answered.text)).toEqual({ data: { updateBook: { meta } } });
});

test("distinguishes conditions from other variables", async () => {
  const api = createApi();
  const query = `query A($a: String, $c: Boolean!, $z: String) {
      x: books(filter: { title: { ne: $a } }) { totalCount } z: books(filter: { title: { ne: $z } }) { totalCount }
      y: books @include(if: $c) { totalCount } }
    query B($a: Boolean!, $c: Boolean!, $z: Boolean!) { a: __typename @skip(if: $a) c: __typename @skip(if: $c) z: __typename @skip(if: $z) }`;
  const keysOf = async (variables: unknown): Promise<string[]> => {
    const { text } = await answerText(api, "POST", "/graphql", { body: { query, operationName: "A", variables } });
    return Object.keys((JSON.parse(text) as { data: object }).data);
  };
  expect(await keysOf({ a: "x", c: true, z: "false,q" })).toEqual(["x", "z", "y"]);
  expect(await keysOf({ a: "x,true", c: false, z: "q" })).toEqual(["x", "z"]);
});

const WIDE = "{ id reviews(first: 100) { nodes { book { reviews(first: 30) { nodes { id } } } } } }";

test.each<[string, string, Record<string, unknown>]>([
  [
    "a variable within JSON",
    `mutation ($v: JSON) {
      a: updateBook(id: 1, input: { title: "A", meta: { x: $v } }) ${WIDE}
      b: updateBook(id: 2, input: { title: "B", meta: { x: $v } }) ${WIDE} }`,
    { v: 1 },
  ],
  [
    "a variable named like a member of every object",
    `mutation ($constructor: Boolean!) {
      a: updateBook(id: 1, input: { title: "A" }) @include(if: $constructor) ${WIDE}
      b: updateBook(id: 2, input: { title: "B" }) ${WIDE} }`,
    { constructor: true },
  ],
  [
    "a query with introspection",
    `{ __schema { queryType { name } } a: book(id: 1) ${WIDE} b: book(id: 1) ${WIDE} }`,
    {},
  ],
])("rejects a request that costs too much before any of it runs: %s", async (_what, query, variables) => {
  const api = createApi();
  const ran: string[] = [];
  api.observe(({ kind }) => ran.push(kind));
  const refused = await ask(api, query, { body: variables });
  expect(refused.errors?.[0]?.extensions).toMatchObject({ errors: [{ code: "too_costly" }] });
  expect([refused.data, ran]).toEqual([undefined, []]);
});

test("limits operations that share fragments together", async () => {
  const api = createApi();
  const operations = Array.from({ length: 251 }, (_, n) => `query Q${n} { ...Z }`).join(" ");
  const fields = Array.from({ length: 20 }, (_, n) => `f${n}: __typename`).join(" ");
  const refused = await ask(api, `${operations} fragment Z on Query { ${fields} }`);
  expect(refused.errors?.[0]).toMatchObject({ extensions: { limit: "graphql.fields" } });
});

test("counts the directives of fragments", async () => {
  const refused = await ask(createApi(), `{ ...F } fragment F on Query ${"@x ".repeat(60)} { __typename }`);
  expect(refused.errors?.[0]?.extensions).toMatchObject({ limit: "graphql.directives" });
});

test("returns introspection and data in one response", async () => {
  const { data } = await ask(
    createApi(),
    '{ __schema { queryType { name } } book(id: 1) { title } __type(name: "Book") { name } }',
  );
  expect(JSON.stringify(data)).toBe(
    '{"__schema":{"queryType":{"name":"Query"}},"book":{"title":"book 1"},"__type":{"name":"Book"}}',
  );
});

test.each([
  ["application/json;q=0, */*", "application/graphql-response+json"],
  ["application/graphql-response+json;q=0, application/*", "application/json"],
])("chooses the media type for %s: %s", async (accept, type) => {
  const { headers } = await answerText(createApi(), "POST", "/graphql", {
    body: { query: "{ __typename }" },
    headers: { accept },
  });
  expect(headers["Content-Type"]).toContain(type);
});
