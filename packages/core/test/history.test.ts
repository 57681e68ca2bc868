import { expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  type AnyResource,
  apiKeys,
  asSystem,
  computed,
  defineApi,
  defineResource,
  DefinitionError,
  deny,
  hasMany,
  memoryStore,
  owner,
  type Store,
} from "../src/index.ts";
import { createCaller } from "../src/operation/create-caller.ts";
import { DEFAULT_FORMATS } from "../src/formats.ts";
import { answerText } from "./answer.ts";
import { ask, send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const fields = { id: z.int32(), title: z.string(), ownerId: z.string().default("ann") };

function mistakesOf(resources: readonly AnyResource[], store: Store = memoryStore()): readonly string[] {
  try {
    defineApi({ resources, store });
  } catch (thrown) {
    if (thrown instanceof DefinitionError)
      return thrown.mistakes.map(({ at, problem, fix }) => `${at}: ${problem} ${fix}`);
    throw thrown;
  }
  return [];
}

test.each<[what: string, resources: readonly AnyResource[], expected: string]>([
  [
    "a field",
    [defineResource("book", { fields: { ...fields, history: z.string() }, history: true, access })],
    "book.fields.history: 'history: true' adds a relation with this name. Rename it.",
  ],
  [
    "a relation",
    [
      defineResource("book", { fields, relations: { history: hasMany("page", "bookId") }, history: true, access }),
      defineResource("page", { fields: { id: z.int32(), bookId: z.int32() }, access }),
    ],
    "book.relations.history: 'history: true' adds a relation with this name. Rename it.",
  ],
  [
    "a computed field",
    [
      defineResource("book", {
        fields,
        computed: { history: computed(z.string(), { from: ["title"], get: ({ title }) => title }) },
        history: true,
        access,
      }),
    ],
    "book.computed.history: 'history: true' adds a relation with this name. Rename it.",
  ],
  [
    "an action",
    [
      defineResource("book", {
        fields,
        actions: { history: { on: "item", access: allow, run: () => {} } },
        history: true,
        access,
      }),
    ],
    "book.actions.history: 'history: true' adds a relation with this name. Rename it.",
  ],
  [
    "a query",
    [
      defineResource("book", {
        fields,
        queries: { history: { on: "item", access: allow, output: z.string(), run: () => "" } },
        history: true,
        access,
      }),
    ],
    "book.queries.history: 'history: true' adds a relation with this name. Rename it.",
  ],
  [
    "a resource",
    [defineResource("book", { fields, history: true, access }), defineResource("bookHistory", { fields, access })],
    "bookHistory: 'book' keeps its history in a resource with this name. Rename this resource.",
  ],
  [
    "an age that isn't a number of seconds",
    [defineResource("book", { fields, history: { keepFor: 0 }, access })],
    "book.history: Expected true, false, or an object with a positive number of seconds, keepFor. Write history: true, or { keepFor: 31_536_000 } to delete entries after a year.",
  ],
  [
    "a rule without a history",
    [defineResource("book", { fields, access: { ...access, history: allow } })],
    "book.access.history: This resource has no history. Set history: true, or remove the rule.",
  ],
])("rejects %s at start", (_, resources, expected) => {
  expect(mistakesOf(resources)).toEqual([expected]);
});

test("rejects a store without transactions at start", () => {
  const store = memoryStore();
  const limited: Store = Object.create(store, {
    capabilities: { value: { ...store.capabilities, transactions: false } },
  });
  expect(mistakesOf([defineResource("book", { fields, history: true, access })], limited)).toEqual([
    "book.history: The store of this resource has no transactions, so it can't record a history. Use another store, or remove 'history'.",
  ]);
});

test("offers no history that a rule denies to everyone, and still records it", async () => {
  const book = defineResource("book", { fields, history: true, access: { ...access, history: deny } });
  const api = defineApi({ resources: [book] });
  await send(api, "POST", "/books", { body: { id: 1, title: "Emma" } });
  expect(await send(api, "GET", "/books/1/history")).toMatchObject({ status: 404 });
  expect(api.graphql.sdl()).not.toContain("history");
  expect(JSON.stringify(api.openapi())).not.toContain("istory");
});

test("applies a rule of the history to each row", async () => {
  const rules = { ...access, history: owner("ownerId") };
  const book = defineResource("book", { fields, history: true, access: rules });
  const api = defineApi({ resources: [book], auth: apiKeys({ ann: { id: "ann" }, ben: { id: "ben" } }) });
  const as = (id: string) => ({ headers: { authorization: `Bearer ${id}` } });
  await send(api, "POST", "/books", { body: { id: 1, title: "Emma" } });
  expect(await send(api, "GET", "/books/1/history", as("ann"))).toMatchObject({ status: 200, body: [{ by: null }] });
  expect(await send(api, "GET", "/books/1/history", as("ben"))).toMatchObject({ status: 403 });
  const ben = api.as({ id: "ben" }).book.history(1);
  await expect(ben).rejects.toMatchObject({ code: "FORBIDDEN" });
  const query = "{ books { nodes { title history { nodes { by } } } } }";
  const nodes = [{ title: "Emma", history: null }];
  expect(await ask(api, query, as("ben"))).toMatchObject({ data: { books: { nodes } }, errors: [{}] });
});

test.each(["text/html", "application/vnd.api+json", "application/hal+json", "text/csv", "application/x-ndjson"])(
  "serves entries as %s",
  async (accept) => {
    const book = defineResource("book", { fields, history: true, access });
    const api = defineApi({ resources: [book], formats: DEFAULT_FORMATS });
    await api.local.book.create({ id: 1, title: "Emma" });
    const { status, text } = await answerText(api, "GET", "/books/1/history", { headers: { accept } });
    expect(status).toBe(200);
    expect(text).toContain("Emma");
  },
);

test("lets application code read entries only along their row", async () => {
  const book = defineResource("book", { fields, history: true, access: { ...access, read: owner("ownerId") } });
  const api = defineApi({ resources: [book] });
  await api.as({ id: "ann" }).book.create({ id: 1, title: "Emma" });
  const selection = { fields: ["id"], relations: [] };
  const ben = createCaller({ id: "ben" }, undefined);
  const page = { size: 10 };
  const read = await api.run({ kind: "list", resource: "bookHistory", sort: [], page, selection }, ben);
  expect(read).toMatchObject({ kind: "failure", error: { code: "FORBIDDEN" } });
  await expect(api.as({ id: "ben" }).book.history(1)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await api.as({ id: "ann" }).book.history(1)).items).toHaveLength(1);
});

test("records no values of internal fields, not even for system calls", async () => {
  const book = defineResource("book", {
    fields: { ...fields, hash: z.string().nullable() },
    internal: ["hash"],
    history: true,
    access,
    actions: {
      sign: {
        on: "item",
        input: z.object({ hash: z.string(), title: z.string() }),
        access: allow,
        run: async ({ item, store, input }) => void (await store.update(item.id, input)),
      },
    },
  });
  const api = defineApi({ resources: [book] });
  const system = api.as(asSystem("an audit"));
  await system.book.create({ id: 1, title: "Emma" });
  await system.book.actions.sign(1, { hash: "secret", title: "Emma" });
  await system.book.actions.sign(1, { hash: "another secret", title: "Persuasion" });
  const { items } = await system.book.history(1);
  expect(items.map(({ changes }) => changes.map(({ field }) => field))).toEqual([
    ["title"],
    ["id", "title", "ownerId"],
  ]);
});
