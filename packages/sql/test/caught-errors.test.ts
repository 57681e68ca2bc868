import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  manyToMany,
  memoryStore,
  silentLog,
  type Store,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { send } from "@bifocal/test-servers/request";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const bulk = { create: 10, update: 10, delete: 10 };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  unique: ["name"],
  filterable: ["id"],
  relations: { books: hasMany("book", "authorId", { writes: { create: 3, delete: 3 } }) },
  history: true,
  bulk,
  access,
});
const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), authorId: z.int32().nullable() },
  unique: ["title"],
  relations: {
    author: belongsTo("author", "authorId", { onDelete: "setNull" }),
    tags: manyToMany("tag", { links: 3 }),
  },
  history: true,
  bulk,
  access,
});
const tag = defineResource("tag", {
  fields: { id: z.int32() },
  relations: { books: manyToMany("book") },
  access,
});

function createApi(store: Store) {
  return defineApi({ resources: [author, book, tag], store, log: silentLog });
}
type Api = ReturnType<typeof createApi>;
type Call = (local: Api["local"]) => Promise<unknown>;

const id = fc.integer({ min: 1, max: 4 });
const ids = fc.array(id, { minLength: 1, maxLength: 3 });
const name = fc.constantFrom("a", "b", "c");
const newAuthor = fc.record({ id, name });
const newBook = fc.record({ id, title: name, authorId: fc.option(id) });
const calls: fc.Arbitrary<Call> = fc.oneof(
  newAuthor.map(
    (given): Call =>
      (local) =>
        local.author.create(given),
  ),
  fc.array(newAuthor, { maxLength: 3 }).map(
    (given): Call =>
      (local) =>
        local.author.createMany(given),
  ),
  fc.array(newBook, { maxLength: 3 }).map(
    (given): Call =>
      (local) =>
        local.book.createMany(given),
  ),
  newAuthor.map(
    (given): Call =>
      (local) =>
        local.author.update(given.id, { name: given.name }),
  ),
  fc.tuple(id, id).map(
    ([from, to]): Call =>
      (local) =>
        local.author.update(from, { id: to }),
  ),
  fc.tuple(ids, name).map(
    ([some, to]): Call =>
      (local) =>
        local.author.updateMany({ id: { in: some } }, { name: to }),
  ),
  ids.map(
    (some): Call =>
      (local) =>
        local.author.deleteMany({ id: { in: some } }),
  ),
  id.map(
    (one): Call =>
      (local) =>
        local.book.delete(one),
  ),
  fc.tuple(id, fc.uniqueArray(id, { maxLength: 3 }), name).map(
    ([one, add, title]): Call =>
      (local) =>
        local.book.update(one, { tags: { add }, title }),
  ),
  fc.tuple(id, fc.record({ id, title: name }), id).map(
    ([one, given, gone]): Call =>
      (local) =>
        local.author.update(one, { books: { delete: [gone], create: [given] } }),
  ),
);

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "done",
    (thrown: { readonly code?: unknown }) => thrown.code ?? thrown,
  );
}

/** Returns all rows with their links and their history. */
async function stateOf(api: Api) {
  const read = async (path: string) => (await send(api, "GET", path)).body;
  const history = "history.operation,history.changes";
  return {
    authors: await read(`/authors?fields=id,name,${history}`),
    books: await read(`/books?fields=id,title,authorId,tags.id,${history}`),
  };
}

const sqlite = servers.find((server) => server.name === "sqlite");

describe.each([
  { store: "memory", runs: 150 },
  { store: "sqlite", runs: 25 },
])("a transaction on $store that catches the errors of its calls", ({ store, runs }) => {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = store === "memory" ? undefined : await sqlite?.create();
  });
  afterAll(() => database?.drop());

  test("keeps the calls that succeed alone, or nothing", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { maxLength: 4 }), fc.array(calls, { maxLength: 6 }), async (before, within) => {
        await database?.empty();
        const api = createApi(
          database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true }),
        );
        const other = createApi(memoryStore());
        for (const one of [api, other]) for (const number of [1, 2, 3]) await one.local.tag.create({ id: number });
        for (const call of before) expect(await codeOf(call(api.local))).toBe(await codeOf(call(other.local)));
        const initial = await stateOf(other);
        const outcome = await codeOf(
          api.transaction(async (local) => {
            for (const call of within) await codeOf(call(local));
          }),
        );
        for (const call of within) await codeOf(call(other.local));
        expect(await stateOf(api)).toEqual(outcome === "done" ? await stateOf(other) : initial);
        await Promise.all([api.close(), other.close()]);
      }),
      { seed: drawSeed("CAUGHT_ERRORS_SEED"), numRuns: runs },
    );
  });
});
