import { expect, test } from "vitest";
import { z } from "zod";
import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "../../../src/index.ts";
import { answerParts } from "./answer-parts.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  exactCount: true,
  access,
});

test("counts in deferred parts", async () => {
  const books = Array.from({ length: 12 }, (_, at) => ({ id: at + 1, authorId: 1 }));
  const api = defineApi({
    resources: [author, book],
    store: memoryStore({ data: { author: [{ id: 1 }], book: books } }),
    limits: { query: { count: 11 } },
    graphql: { incremental: true },
  });
  const query = "{ books(first: 1) { nodes { id } ... @defer { totalCount totalCountIsExact } } }";
  expect(JSON.stringify(await answerParts(api, query))).toContain('"totalCount":11,"totalCountIsExact":false');
  const exact = "{ author(id: 1) { books(first: 1) { totalCount ... @defer { exactTotalCount } } } }";
  const parts = JSON.stringify(await answerParts(api, exact));
  expect(parts).toContain('"totalCount":11');
  expect(parts).toContain('"exactTotalCount":12');
});
