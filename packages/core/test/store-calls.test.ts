import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, manyToMany } from "../src/index.ts";
import { countingStore } from "./counting-store.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: {
    author: belongsTo("author", "authorId"),
    reviews: hasMany("review", "bookId"),
    tags: manyToMany("tag"),
  },
  access,
  filterable: ["title"],
  sortable: ["title"],
});
const review = defineResource("review", {
  fields: { id: z.int32(), bookId: z.int32(), stars: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access: { ...access, read: () => ({ stars: { gt: 0 } }) },
  filterable: ["stars"],
  sortable: ["stars"],
});
const tag = defineResource("tag", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: manyToMany("book") },
  access,
});

const range = (length: number): number[] => Array.from({ length }, (_, n) => n + 1);

function library() {
  const { store, calls } = countingStore({
    data: {
      author: range(5).map((id) => ({ id, name: `Author ${id}` })),
      book: range(40).map((id) => ({ id, title: `Book ${id}`, authorId: (id % 4) + 1 })),
      review: range(200).map((id) => ({ id, bookId: (id % 40) + 1, stars: id % 6 })),
      tag: range(3).map((id) => ({ id, name: `Tag ${id}` })),
      book_tag: range(40).map((bookId) => ({ bookId, tagId: (bookId % 3) + 1 })),
    },
  });
  return { api: defineApi({ resources: [author, book, review, tag], store }), calls };
}

describe("a selection of any size needs one store call per relation and level", () => {
  test.each<[string, string, readonly string[]]>([
    ["one list", "{ books(first: 40) { nodes { title } } }", ["book.list"]],
    [
      "three levels",
      "{ authors { nodes { books(first: 20) { nodes { reviews(first: 3) { nodes { stars } } } } } } }",
      ["author.list", "book.listPer(5)", "review.listPer(40)"],
    ],
    [
      "each to-one key is read once",
      "{ books(first: 40) { nodes { author { name } } } }",
      ["book.list", "author.byKeys(4)"],
    ],
    [
      "the same relation under two names is read once",
      "{ books(first: 40) { nodes { a: author { name } b: author { id } } } }",
      ["book.list", "author.byKeys(4)"],
    ],
    [
      "another filter makes another list",
      '{ authors { nodes { a: books(first: 1) { nodes { id } } b: books(filter: { title: { eq: "Book 8" } }) { nodes { id } } } } }',
      ["author.list", "book.listPer(5)", "book.listPer(5)"],
    ],
    ["many-to-many", "{ books(first: 40) { nodes { tags { nodes { name } } } } }", ["book.list", "tag.listPer(40)"]],
    [
      "down and back up to rows that were already read",
      "{ book(id: 1) { author { books(first: 9) { nodes { author { name } tags { nodes { name } } } } } } }",
      ["book.byKeys(1)", "author.byKeys(1)", "book.listPer(1)", "tag.listPer(9)"],
    ],
    [
      "a rule's filter is part of the same call",
      "{ reviews(filter: { stars: { lt: 3 } }, first: 50) { totalCount nodes { book { title } } } }",
      ["review.list", "book.byKeys(40)"],
    ],
    ["nothing below an empty list", "{ book(id: 999) { author { name } } }", ["book.byKeys(1)"]],
  ])("%s", async (_, query, expected) => {
    const { api, calls } = library();
    const { errors } = await ask(api, query);
    expect(errors).toBeUndefined();
    expect([...calls].sort()).toEqual([...expected].sort());
    expect(calls[0]).toBe(expected[0]);
  });

  test("the same in REST", async () => {
    const { api, calls } = library();
    const { status } = await send(api, "GET", "/authors?include=books.reviews,books.author&page[size]=5");
    expect(status).toBe(200);
    expect(calls).toHaveLength(3);
    calls.length = 0;
    await send(api, "GET", "/authors/1/books?include=author&count=true");
    expect(calls).toEqual(["author.byKeys(1)", "book.listPer(1)"]);
  });

  test("nested lists each have their own page, sort and filter", async () => {
    const { api } = library();
    const { data } = await ask(
      api,
      `{ authors(first: 2) { nodes { name books(first: 2, sort: [TITLE_DESC], filter: { title: { contains: "3" } }) {
        totalCount pageInfo { hasNextPage endCursor } nodes { title } } } } }`,
    );
    const { nodes } = (data as { authors: { nodes: { name: string; books: Connection }[] } }).authors;
    expect(nodes.map(({ name, books }) => [name, books.totalCount, books.pageInfo.hasNextPage, titles(books)])).toEqual(
      [
        ["Author 1", 2, false, ["Book 36", "Book 32"]],
        ["Author 2", 3, true, ["Book 37", "Book 33"]],
      ],
    );
    const cursor = nodes[1]?.books.pageInfo.endCursor;
    const rest = await send(
      api,
      "GET",
      `/authors/2/books?sort=-title&filter[title][contains]=3&page[size]=2&page[after]=${cursor}`,
    );
    expect(rest).toMatchObject({ status: 200, body: [{ title: "Book 13" }] });
  });
});

interface Connection {
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  readonly nodes: readonly { readonly title: string }[];
}

function titles({ nodes }: Connection): readonly string[] {
  return nodes.map(({ title }) => title);
}
