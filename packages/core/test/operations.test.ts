import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, manyToMany } from "../src/index.ts";
import { type Operation, printOperation } from "../src/operations.ts";
import { access, author } from "./author.ts";
import { ask, send } from "./request.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32(), price: z.number(), words: z.array(z.string()) },
  relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
  access,
  filterable: ["title", "price", "words"],
  sortable: ["title", "price"],
  actions: { publish: { on: "item", input: z.object({ at: z.iso.date() }), access: allow, run: () => null } },
});
const tag = defineResource("tag", {
  key: "slug",
  fields: { slug: z.string() },
  relations: { books: manyToMany("book") },
  access,
  filterable: ["slug"],
});

const api = defineApi({ resources: [author, book, tag] });

/** The operation that a request lowers to. */
async function lowered(act: () => Promise<unknown>): Promise<string> {
  const operations: Operation[] = [];
  const stop = api.observe((operation) => operations.push(operation));
  await act();
  stop();
  return operations.map(printOperation).join("\n");
}

describe("REST, GraphQL and local calls lower to the same operation", () => {
  test.each<[name: string, url: string, document: string, local: () => Promise<unknown>, printed: string]>([
    [
      "a plain list",
      "/books",
      "{ books { nodes { id title authorId price words } } }",
      () => api.local.book.list(),
      `list book
  page first 20
  fields id, title, authorId, price, words`,
    ],
    [
      "filters of every kind, a sort, a page and a count",
      "/books?filter[title][istartsWith]=e&filter[title][notContains]=x&filter[author.born][lt]=1800-01-01T00:00:00.000Z&filter[or][0][price]=5&filter[or][1][tags][some][slug]=x&filter[not][words][has]=y&sort=-price,author.name&page[size]=5&page[offset]=10&count=true&fields=title",
      `{ books(filter: { title: { istartsWith: "e", notContains: "x" }, author: { born: { lt: "1800-01-01T00:00:00.000Z" } },
           or: [{ price: { eq: 5 } }, { tags: { some: { slug: { eq: "x" } } } }], not: { words: { has: "y" } } },
         sort: [PRICE_DESC, AUTHOR_NAME_ASC], first: 5, offset: 10) { totalCount nodes { title } } }`,
      () =>
        api.local.book.list({
          filter: {
            title: { istartsWith: "e", notContains: "x" },
            author: { born: { lt: new Date("1800-01-01T00:00:00.000Z") } },
            or: [{ price: 5 }, { tags: { some: { slug: "x" } } }],
            not: { words: { has: "y" } },
          },
          sort: ["-price", "author.name"],
          page: { size: 5, offset: 10 },
          count: true,
          select: { title: true },
        }),
      `list book
  filter and
    - author one
      - born lt "1800-01-01T00:00:00.000Z"
    - not
      - words has "y"
    - or
      - price eq 5
      - tags some
        - slug eq "x"
    - title istartsWith "e"
    - title notContains "x"
  sort -price, author.name
  page first 5 offset 10
  count
  fields title`,
    ],
    [
      "one row with relations",
      "/authors/7?fields=name,books.title,books.tags.slug&rel[books][page][size]=3",
      "{ author(id: 7) { name books(first: 3) { nodes { title tags { nodes { slug } } } } } }",
      () =>
        api.local.author.get(7, {
          select: {
            name: true,
            books: { page: { size: 3 }, select: { title: true, tags: { select: { slug: true } } } },
          },
        }),
      `get author key 7
  fields name
  relation books
    page first 3
    fields title
    relation tags
      page first 20
      fields slug`,
    ],
  ])("%s", async (_, url, document, local, printed) => {
    const rest = await lowered(() => send(api, "GET", url));
    expect(rest).toBe(printed);
    expect(await lowered(() => ask(api, document))).toBe(rest);
    expect(await lowered(local)).toBe(rest);
  });

  test.each<
    [name: string, request: readonly [method: string, url: string, body?: unknown], document: string, printed: string]
  >([
    [
      "create",
      ["POST", "/authors", { id: 1, name: "A", born: null }],
      'mutation { createAuthor(input: { id: 1, name: "A", born: null }) { id name born } }',
      `create author
  input wire {"born": null, "id": 1, "name": "A"}
  fields id, name, born`,
    ],
    [
      "update",
      ["PATCH", "/authors/1", { name: "B" }],
      'mutation { updateAuthor(id: 1, input: { name: "B" }) { id name born } }',
      `update author key 1
  input wire {"name": "B"}
  fields id, name, born`,
    ],
    ["delete", ["DELETE", "/authors/1"], "mutation { deleteAuthor(id: 1) { deleted } }", "delete author key 1"],
    [
      "link",
      ["PUT", "/books/1/tags/x"],
      'mutation { linkBookTag(id: 1, tagId: "x") { __typename } }',
      `link book key 1
  relation tags target "x"`,
    ],
    [
      "act",
      ["POST", "/books/1/publish", { at: "2026-01-01" }],
      'mutation { publishBook(id: 1, input: { at: "2026-01-01" }) { id title authorId price words } }',
      `act book action "publish" key 1
  input wire {"at": "2026-01-01"}
  fields id, title, authorId, price, words`,
    ],
  ])("%s", async (_, [method, url, body], document, printed) => {
    const rest = await lowered(() => send(api, method, url, { body }));
    const graphql = await lowered(() => ask(api, document));
    expect(rest).toBe(printed);
    expect(graphql.split("\n").slice(0, printed.split("\n").length).join("\n")).toBe(printed);
  });
});
