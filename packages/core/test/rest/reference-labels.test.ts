import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, deny, hasMany } from "../../src/index.ts";
import { countingStore } from "../counting-store.ts";
import { answerText } from "../answer.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

type Rule = () => boolean | { id: { eq: number } };

function library(read: Rule = allow, relation: Rule = allow) {
  const author = defineResource("author", {
    fields: { id: z.int32(), name: z.string() },
    relations: { books: hasMany("book", "authorId") },
    access: { ...access, read },
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), authorId: z.int32().nullable() },
    relations: { author: belongsTo("author", "authorId") },
    access: { ...access, relations: { author: { read: relation } } },
    groupable: ["authorId"],
  });
  const { store, calls } = countingStore({
    data: {
      author: [1, 2].map((id) => ({ id, name: `Author ${id}` })),
      book: Array.from({ length: 12 }, (_, id) => ({
        id,
        title: `Book ${id}`,
        authorId: id === 0 ? null : 1 + (id % 2),
      })),
    },
  });
  return { api: defineApi({ resources: [author, book], store }), calls };
}

const page = async (api: ReturnType<typeof library>["api"], url: string): Promise<string> =>
  (await answerText(api, "GET", url, { headers: { accept: "text/html" } })).text;

test("a page reads the labels of all referenced rows in one store call", async () => {
  const { api, calls } = library();
  const text = await page(api, "/books");
  expect(calls).toEqual(["book.list", "author.byKeys(2)"]);
  expect(text.match(/<a href="\/authors\/\d"><bdi title="\d">Author \d<\/bdi><\/a>/g)).toHaveLength(11);
  expect(text).toContain("Author</th>");
  expect(await page(api, "/books/1")).toContain('<a href="/authors/2"><bdi title="2">Author 2</bdi></a>');
});

test("the request of a page with labels is the one that the client sent", async () => {
  const text = await page(library().api, "/books?fields=title,authorId");
  expect(text).not.toContain("author {");
  expect(text).toContain("fields=<span");
});

test("shows the key of a row that the caller can't read", async () => {
  const text = await page(library(() => ({ id: { eq: 1 } })).api, "/books");
  expect(text).toContain("Author 1");
  expect(text).not.toContain("Author 2");
  expect(text).toContain('<a href="/authors/2">2</a>');
});

const GROUPS = "/books/aggregate?group=authorId&aggregate=count";

test("groups have the labels of the rows that they refer to, from one store call", async () => {
  const { api, calls } = library();
  const text = await page(api, GROUPS);
  expect(calls).toEqual(["author.list"]);
  expect(text.match(/<a href="\/authors\/\d"><bdi title="\d">Author \d<\/bdi><\/a>/g)).toHaveLength(2);
  expect(text).toContain('<td data-label="Author"><span class="empty" title="no value">–</span></td>');
});

test.each([
  ["some rows", library(() => ({ id: { eq: 1 } })), ["Author 1"]],
  ["the resource", library(() => false), []],
  ["the relation", library(allow, () => false), []],
])("groups have the keys of rows if the caller can't read %s", async (_, { api }, labels) => {
  const text = await page(api, GROUPS);
  expect(text.match(/Author \d/g) ?? []).toEqual(labels);
  expect(text).toContain('<a href="/authors/2">2</a>');
});

const EMBEDDED = "rel[books][aggregate]=count&rel[books][group]=authorId";

test("groups of embedded relations have the labels of the rows that they refer to, from one store call", async () => {
  const { api, calls } = library();
  const text = await page(api, `/authors?${EMBEDDED}`);
  expect(calls).toEqual(["author.list", "author.list"]);
  expect(text).toContain('<li><a href="/authors/1"><bdi title="1">Author 1</bdi></a>, <bdi>count 5</bdi></li>');
  expect(text).toContain('<li><a href="/authors/2"><bdi title="2">Author 2</bdi></a>, <bdi>count 6</bdi></li>');
  expect(await page(api, `/authors/1?${EMBEDDED}`)).toContain(
    '<bdi title="1">Author 1</bdi></a>, <bdi>count 5</bdi></li>',
  );
});

test("groups of embedded relations have the keys of rows if a rule of the reference decides", async () => {
  const text = await page(library(allow, () => true).api, `/authors?${EMBEDDED}`);
  expect(text).toContain('<li><a href="/authors/2">2</a>, <bdi>count 6</bdi></li>');
});

test("doesn't read rows that no caller can read", async () => {
  const { api, calls } = library(deny);
  expect(await page(api, "/books")).toContain("Author id</th>");
  expect(calls).toEqual(["book.list"]);
});

test("other formats don't read labels", async () => {
  const { api, calls } = library();
  await answerText(api, "GET", "/books", { headers: { accept: "text/csv" } });
  await answerText(api, "GET", "/books");
  await answerText(api, "GET", GROUPS);
  await answerText(api, "GET", GROUPS, { headers: { accept: "text/csv" } });
  expect(calls).toEqual(["book.list", "book.list"]);
});
