import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, deny, hasMany, memoryStore } from "../../src/index.ts";
import { start } from "../graphql/notes.ts";
import { answerText } from "../answer.ts";

test("reads a complete list in pieces that each stay within the cost limit", async () => {
  const { api, calls } = start({}, { query: { cost: 300 } });
  for (let first = 2; first <= 40; first += 1) {
    // One after another, so that the ids are in order.
    await api.local.author.create({ id: first, name: `Author ${first}`, email: "a@example.com" });
  }
  calls.length = 0;
  const { status, text } = await answerText(api, "GET", "/authors?include=books&fields=id", {
    headers: { accept: "application/x-ndjson" },
  });
  expect(status).toBe(200);
  expect(text.trim().split("\n")).toHaveLength(40);
  // A row with its page of 20 books costs 21.
  expect(calls.filter((call) => call === "author.list")).toHaveLength(Math.ceil(40 / Math.floor(300 / 21)));
});

const access = { read: allow, create: deny, update: deny, delete: deny };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
  sortable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["title"],
});

test.each([
  ["a filter", "/authors?include=books&filter[name][contains]=name"],
  ["a filter, a sort and a count", "/authors?include=books&filter[name][contains]=name&sort=-name&count=true"],
  ["a filter of a relation", "/authors/1/books?include=author.books&filter[title][contains]=title&count=true"],
])("reads it to the end with %s, whose cost comes on top of the rows", async (_, url) => {
  const ids = Array.from({ length: 600 }, (_, id) => id);
  const store = memoryStore({
    data: {
      author: ids.map((id) => ({ id, name: `name ${id}` })),
      book: ids.map((id) => ({ id, title: `title ${id}`, authorId: 1 })),
    },
  });
  const api = defineApi({ resources: [author, book], store, limits: { query: { cost: 1_000 } } });
  const { status, text } = await answerText(api, "GET", url, { headers: { accept: "application/x-ndjson" } });
  expect(status).toBe(200);
  expect(text.trim().split("\n")).toHaveLength(600);
});

test("is rejected before anything is sent if one row costs too much", async () => {
  const store = memoryStore({ data: { author: [{ id: 1, name: "name" }], book: [] } });
  const api = defineApi({ resources: [author, book], store, limits: { query: { cost: 100 } } });
  const url = "/authors?include=books&filter[name][contains]=name";
  const { status, text } = await answerText(api, "GET", url, { headers: { accept: "application/x-ndjson" } });
  expect(status).toBe(400);
  expect(text).toContain("The request costs");
});
