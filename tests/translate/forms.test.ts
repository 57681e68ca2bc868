import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  type GraphqlForm,
  hasMany,
  memoryStore,
  silentLog,
  type Translation,
  type TranslationSource,
} from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { readAgain, STYLES, textOf } from "./read-again.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  path: "people",
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id", "name"],
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    title: z.string(),
    price: z.number(),
    authorId: z.int32(),
    soldAt: z.codec(z.iso.datetime(), z.date(), {
      decode: (text) => new Date(text),
      encode: (date) => date.toISOString(),
    }),
    size: z.object({ width: z.number(), height: z.number() }).nullable(),
  },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["price", "title", "authorId"],
  sortable: ["price"],
  aggregatable: ["price"],
  bulk: { update: 10, delete: 10 },
});

function createApi(globalIds = false) {
  return defineApi({ resources: [author, book], store: memoryStore(), log: silentLog, graphql: { globalIds } });
}

async function translateOne(source: TranslationSource, globalIds = false): Promise<Translation> {
  const [one, ...others] = await createApi(globalIds).translate(source);
  expect(others).toEqual([]);
  return one as Translation;
}

test("prints a list in each style", async () => {
  const source =
    "GET /books?filter[price][lt]=20&filter[author.name]=Ann&sort=-price&fields=title,author.name&page[size]=5";
  const { rest, graphql, client } = await translateOne(source);
  expect(rest).toEqual({
    method: "GET",
    url: "/books?filter[author][name]=Ann&filter[price][lt]=20&sort=-price&page[size]=5&fields=title,author.name",
    headers: {},
  });
  expect(graphql).toEqual({
    document: `query ($filter: BookFilter, $sort: [BookSort!], $first: Int) {
  books(filter: $filter, sort: $sort, first: $first) {
    nodes {
      title
      author {
        name
      }
    }
  }
}`,
    variables: {
      filter: { author: { name: { eq: "Ann" } }, price: { lt: 20 } },
      sort: ["PRICE_DESC"],
      first: 5,
    },
  });
  expect(client).toEqual({
    code: `client.book.list({
  filter: { author: { name: "Ann" }, price: { lt: 20 } },
  sort: ["-price"],
  page: { size: 5 },
  select: { title: true, author: { select: { name: true } } },
})`,
  });
});

test("keeps two conditions about the same related row apart", async () => {
  const api = createApi();
  const source = "GET /books?filter[and][0][author][id]=1&filter[and][1][author][name]=Ann";
  const [one] = await api.translate(source);
  if (one === undefined) throw new Error("Nothing was translated.");
  const operation = textOf(api, one.operation);
  const again = await Promise.all(STYLES.map((style) => readAgain(api, one, style)));
  expect(operation.match(/author one/g)).toHaveLength(2);
  expect(again).toEqual([operation, operation, operation]);
});

test("keeps cursors", async () => {
  for (const name of ["after", "before"]) {
    const { rest, graphql, client } = await translateOne(`GET /books?page[${name}]=CURSOR`);
    expect(rest).toMatchObject({ url: `/books?page[${name}]=CURSOR` });
    expect(graphql).toMatchObject({ variables: { [name]: "CURSOR" } });
    expect(client).toMatchObject({ code: `client.book.list({ page: { ${name}: "CURSOR" } })` });
  }
});

test("returns one translation for each root field", async () => {
  const all = await createApi().translate("{ books { nodes { title } } author(id: 3) { name } }");
  expect(all.map(({ rest }) => "url" in rest && rest.url)).toEqual(["/books?fields=title", "/people/3?fields=name"]);
});

test.each<[string, TranslationSource, keyof Translation, string]>([
  ["the last rows", "{ books(last: 3) { nodes { id } } }", "rest", "Only GraphQL can request the last rows"],
  ["no rows", "{ books(first: 0) { totalCount nodes { id } } }", "client", "a page without rows"],
  [
    "a page between cursors",
    '{ books(after: "A", before: "B", first: 2) { nodes { id } } }',
    "rest",
    "Only GraphQL can combine 'after' and 'before'",
  ],
  [
    "the first rows before a cursor",
    '{ books(before: "B", first: 2) { nodes { id } } }',
    "client",
    "Only GraphQL can request the first rows before a cursor",
  ],
  [
    "an input without a required field",
    'POST /books {"title":"Emma"}',
    "graphql",
    "GraphQL rejects these values. Variable",
  ],
  ["an unknown field in an input", 'PATCH /books/1 {"titel":"Emma"}', "graphql", 'unknown field "titel"'],
  ["an alias", "{ author(id: 1) { books { nodes { id } } cheap: books(first: 1) { nodes { id } } } }", "rest", "alias"],
  ["a row without fields", "{ books { totalCount } }", "rest", "without any of its fields"],
  [
    "groups without a value",
    "{ authors { nodes { name booksAggregate { nodes { __typename } } } } }",
    "client",
    "The client needs at least one value or group",
  ],
  ["one kind of change", "subscription { bookCreated { id } }", "rest", "all kinds of changes"],
  [
    "a create inside a row",
    'POST /people/1/books {"id":1,"title":"Emma","price":5,"soldAt":"2026-01-01T00:00:00.000Z","size":null}',
    "graphql",
    "Set the field that references the row",
  ],
  [
    "an object in an update",
    "mutation { updateBook(id: 1, input: { size: { width: 1, height: 2 } }) { id } }",
    "rest",
    "PATCH merges",
  ],
])("explains that a style can't express %s", async (_, source, style, reason) => {
  const translation = await translateOne(source);
  expect(translation[style]).toEqual({ reason: expect.stringContaining(reason) as string });
});

test.each<[string, TranslationSource]>([
  ["a date", 'PATCH /books/1 {"soldAt":"2026-01-01T00:00:00.000Z","title":"Emma"}'],
  [
    "an object",
    'POST /books {"id":1,"title":"Emma","price":5,"authorId":1,"soldAt":"2026-01-01T00:00:00.000Z","size":{"width":1,"height":2}}',
  ],
  ["an empty list of conditions", { method: "QUERY", url: "/books", body: { filter: { or: [] } } }],
  ["a condition on an empty list", { method: "QUERY", url: "/books", body: { filter: { price: { in: [] } } } }],
  ["several conditions on one relation", "GET /books?filter[and][0][author.name]=A&filter[and][1][author.name][ne]=B"],
  ["reserved characters", { url: `/books?filter[title]=${encodeURIComponent("a&b=c#d+%[e],f")}` }],
  ["a version", { method: "DELETE", url: "/books/1", headers: { "If-Match": '"abc"' } }],
  ["related rows", "GET /people/1/books?sort=price&count=true"],
])("reads %s again", async (_, source) => {
  const api = createApi();
  const [translation] = await api.translate(source);
  if (translation === undefined) throw new Error("The request has no operation.");
  const again = await Promise.all(STYLES.map((style) => readAgain(api, translation, style)));
  const known = again.filter((text) => text !== undefined);
  expect(known.length).toBeGreaterThan(1);
  for (const text of known) expect(text).toBe(textOf(api, translation.operation));
});

test.each<[string, TranslationSource]>([
  ["a change of all rows", 'PATCH /books {"price":5}'],
  ["a delete of all rows", "DELETE /books"],
])("reads %s again, although GraphQL requires a filter", async (_, source) => {
  const api = createApi();
  const [translation] = await api.translate(source);
  expect(translation?.graphql).toMatchObject({ variables: { filter: {} } });
  const [again] = await api.translate(translation?.graphql as GraphqlForm);
  expect(again?.operation).toEqual(translation?.operation);
});

test("writes global ids in the inputs of GraphQL", async () => {
  const body = '{"id":2,"title":"Emma","price":5,"authorId":1,"soldAt":"2026-01-01T00:00:00.000Z","size":null}';
  const { graphql } = await translateOne(`POST /books ${body}`, true);
  const idOf = (text: string) => Buffer.from(text).toString("base64url");
  expect(graphql).toMatchObject({ variables: { input: { id: idOf("Book:2"), authorId: idOf("Author:1") } } });
});

test("writes global ids in GraphQL", async () => {
  const { graphql } = await translateOne("GET /people/1?fields=name", true);
  const id = Buffer.from("Author:1").toString("base64url");
  expect(graphql).toMatchObject({ variables: { id } });
  const filtered = await translateOne("GET /books?filter[authorId]=1", true);
  expect(filtered.graphql).toMatchObject({ variables: { filter: { authorId: { eq: id } } } });
});

test("accepts an operation", async () => {
  const [{ operation }] = (await createApi().translate("GET /books/1")) as [Translation];
  const [{ rest }] = (await createApi().translate(operation)) as [Translation];
  expect(rest).toEqual({ method: "GET", url: "/books/1", headers: {} });
});

test.each<[TranslationSource, string, RegExp]>([
  ["GET /books?filter[prise]=1", "BAD_REQUEST", /prise/],
  ["{ boks { nodes { id } } }", "BAD_REQUEST", /boks.*Did you mean/s],
  ["{ books {", "BAD_REQUEST", /Syntax Error/],
  ["GET /nothing", "NOT_FOUND", /no such path/],
  ["GET /openapi.json", "BAD_REQUEST", /runs no operation/],
  ["hello", "BAD_REQUEST", /Expected a REST request/],
  ["POST /books {title}", "BAD_REQUEST", /body in JSON/],
  ['PATCH /books/1 {"size":{"width":1}}', "BAD_REQUEST", /depends on the row/],
])("rejects %s", async (source, code, message) => {
  await expect(createApi().translate(source)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});
