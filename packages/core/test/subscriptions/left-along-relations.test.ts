import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  manyToMany,
  memoryStore,
  silentLog,
} from "../../src/index.ts";
import { createCaller } from "../../src/operation/create-caller.ts";
import type { Filter } from "../../src/operation/filter.ts";
import type { StreamOutcome } from "../../src/operation/outcome.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", { fields: { id: z.int32(), name: z.string() }, access, filterable: ["name"] });
const tag = defineResource("tag", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: manyToMany("book") },
  access,
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
  access,
});

const named = (relation: string, name: string): Filter => ({
  kind: "related",
  relation,
  quantifier: "some",
  filter: { kind: "compare", field: "name", operator: "eq", value: name },
});

/** Matches the row that ends a test. */
const END: Filter = { kind: "compare", field: "title", operator: "eq", value: "End" };

/** Returns the kinds and keys of the events of books for a filter. */
async function eventsOf(filter: Filter, change: (rows: Rows) => Promise<unknown>): Promise<readonly unknown[]> {
  const api = defineApi({ resources: [author, tag, book], store: memoryStore(), log: silentLog });
  const rows = api.as(asSystem("a test"));
  await rows.author.create({ id: 1, name: "Jane" });
  await rows.author.create({ id: 2, name: "Frank" });
  await rows.tag.create({ id: 1, name: "sale" });
  await rows.book.create({ id: 1, title: "Emma", authorId: 1 });
  await rows.book.link(1, "tags", 1);
  const outcome = await api.run(
    {
      kind: "watch",
      resource: "book",
      on: ["created", "updated", "deleted"],
      filter: { kind: "or", filters: [filter, END] },
      selection: { fields: ["id"], relations: [] },
    },
    createCaller(null, undefined),
  );
  const { changes } = outcome as StreamOutcome;
  await change(rows);
  await rows.book.create({ id: 2, title: "End", authorId: 2 });
  const seen: unknown[] = [];
  for await (const { kind, key } of changes as AsyncIterable<{ kind: string; key: unknown }>) {
    if (key === 2) break;
    seen.push([kind, key]);
  }
  await api.close();
  return seen;
}
type Rows = ReturnType<ReturnType<typeof defineApi<readonly [typeof author, typeof tag, typeof book]>>["as"]>;

test("reports a row as left when its reference moves it out of the filter", async () => {
  expect(await eventsOf(named("author", "Jane"), (rows) => rows.book.update(1, { authorId: 2 }))).toEqual([
    ["left", 1],
  ]);
});

test.each<[name: string, filter: Filter, change: (rows: Rows) => Promise<unknown>]>([
  ["the related row of a reference changes", named("author", "Jane"), (rows) => rows.author.update(1, { name: "J" })],
  ["the row loses the link that the filter matches", named("tags", "sale"), (rows) => rows.book.unlink(1, "tags", 1)],
  ["the row is deleted along with the link", named("tags", "sale"), (rows) => rows.book.delete(1)],
])("sends no event when %s", async (_, filter, change) => {
  expect(await eventsOf(filter, change)).toEqual([]);
});

test("reports a deleted row that matched a filter along its reference", async () => {
  expect(await eventsOf(named("author", "Jane"), (rows) => rows.book.delete(1))).toEqual([["deleted", 1]]);
});
