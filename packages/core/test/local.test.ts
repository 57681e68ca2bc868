import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  BifocalError,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  manyToMany,
  memoryStore,
  now,
  signedIn,
  uuid,
} from "../src/index.ts";
import { keepingLog } from "./counting-store.ts";

const editor = hasRole("editor");
const author = defineResource("author", {
  fields: {
    id: z.uuid(),
    name: z.string().min(1),
    email: z.email(),
    born: z.date().nullable(),
    createdAt: z.iso.datetime(),
  },
  generated: { id: uuid(), createdAt: now() },
  relations: { books: hasMany("book", "authorId") },
  access: { read: allow, create: editor, update: editor, delete: editor, fields: { email: { read: signedIn } } },
  filterable: ["name", "born"],
  sortable: ["name", "born"],
});
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string(), authorId: z.uuid(), price: z.number().nonnegative() },
  generated: { id: uuid() },
  relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag") },
  access: { read: allow, create: editor, update: editor, delete: editor },
  filterable: ["title", "price"],
  sortable: ["title", "price"],
  actions: {
    discount: {
      on: "item",
      input: z.object({ percent: z.int().min(1).max(99) }),
      access: editor,
      run: ({ item, input, store }) => store.update(item.id, { price: (item.price * (100 - input.percent)) / 100 }),
    },
    total: {
      on: "collection",
      output: z.object({ count: z.int(), price: z.number() }),
      access: allow,
      run: async ({ store }) => {
        const rows = await store.list();
        return { count: rows.length, price: rows.reduce((sum, { price }) => sum + price, 0) };
      },
    },
  },
});
const tag = defineResource("tag", {
  key: "slug",
  fields: { slug: z.string(), label: z.string() },
  relations: { books: manyToMany("book") },
  access: { read: allow, create: editor, update: editor, delete: editor },
});

async function start() {
  const { log, entries } = keepingLog();
  const api = defineApi({ resources: [author, book, tag], store: memoryStore(), log });
  const ed = api.as({ id: "ed", roles: ["editor"] });
  const born = new Date("1775-12-16T00:00:00.000Z");
  const jane = await ed.author.create({ name: "Jane", email: "jane@example.org", born });
  const emma = await ed.book.create({ title: "Emma", authorId: jane.id, price: 10 });
  const other = await ed.book.create({ title: "Persuasion", authorId: jane.id, price: 20 });
  await ed.tag.create({ slug: "classic", label: "Classic" });
  return { api, ed, entries, born, jane, emma, other };
}

test("returns rows as decoded values, with generated fields", async () => {
  const { api, jane, born } = await start();
  expect(jane).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    name: "Jane",
    email: "jane@example.org",
    born,
    createdAt: expect.stringMatching(/Z$/) as string,
  });
  const { email: _, ...seen } = jane;
  expect(await api.local.author.get(jane.id)).toEqual(seen);
  expect(await api.local.author.get("no uuid")).toBeNull();
});

test("select, filter, sort and page work as in the other styles", async () => {
  const { api, ed, emma, born } = await start();
  await ed.book.link(emma.id, "tags", "classic");
  const page = await api.local.book.list({
    filter: { price: { lt: 15 }, author: { born: { eq: born } } },
    sort: ["-price", "author.name"],
    page: { size: 1 },
    count: true,
    select: { title: true, author: { select: { name: true, born: true } }, tags: true },
  });
  expect(page).toEqual({
    items: [{ title: "Emma", author: { name: "Jane", born }, tags: [{ slug: "classic", label: "Classic" }] }],
    total: 1,
    totalIsExact: true,
    hasNext: false,
    hasPrevious: false,
    startCursor: expect.any(String) as string,
    endCursor: expect.any(String) as string,
  });
  const first = await api.local.book.list({ sort: ["title"], page: { size: 1 } });
  const rest = await api.local.book.list({ sort: ["title"], page: { size: 1, after: first.endCursor ?? "" } });
  expect([...first.items, ...rest.items].map(({ title }) => title)).toEqual(["Emma", "Persuasion"]);
  await ed.book.unlink(emma.id, "tags", "classic");
  expect(await api.local.book.get(emma.id, { select: { tags: true } })).toEqual({ tags: [] });
});

test("updates, replaces, deletes and runs actions", async () => {
  const { ed, emma } = await start();
  expect(await ed.book.update(emma.id, { price: 12 }, { select: { price: true } })).toEqual({ price: 12 });
  expect(await ed.book.actions.discount(emma.id, { percent: 50 })).toMatchObject({ price: 6 });
  expect(await ed.book.actions.total()).toEqual({ count: 2, price: 26 });
  const replaced = await ed.book.replace(emma.id, { title: "Emma II", authorId: emma.authorId, price: 1 });
  expect(replaced).toEqual({ ...emma, title: "Emma II", price: 1 });
  await ed.book.delete(emma.id);
  expect(await ed.book.get(emma.id)).toBeNull();
  await expect(ed.book.delete(emma.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

describe("the same rules apply", () => {
  test.each<[string, (by: Awaited<ReturnType<typeof start>>) => Promise<unknown>, Partial<BifocalError>]>([
    [
      "an anonymous caller cannot write",
      ({ api, emma }) => api.local.book.delete(emma.id),
      { code: "UNAUTHENTICATED" },
    ],
    [
      "another caller cannot either",
      ({ api, emma }) => api.as({ id: "x" }).book.update(emma.id, { price: 1 }),
      { code: "FORBIDDEN" },
    ],
    [
      "a body is checked",
      ({ ed, emma }) => ed.book.update(emma.id, { price: -1, title: 3 as never }),
      { code: "VALIDATION_FAILED", issues: [{ path: ["title"] }, { path: ["price"] }] as never },
    ],
    [
      "a reference is checked",
      ({ ed }) => ed.book.create({ title: "x", authorId: "00000000-0000-4000-8000-000000000000", price: 1 }),
      { code: "VALIDATION_FAILED", issues: [{ path: ["authorId"] }] as never },
    ],
    [
      "an unknown key is rejected",
      ({ ed, emma }) => ed.book.update(emma.id, { prize: 1 } as never),
      { code: "VALIDATION_FAILED" },
    ],
    [
      "an unknown option is rejected",
      ({ api }) => api.local.book.list({ filtr: {} } as never),
      { code: "BAD_REQUEST" },
    ],
    [
      "so is an unknown field",
      ({ api }) => api.local.book.list({ select: { titel: true } as never }),
      { code: "BAD_REQUEST" },
    ],
    [
      "and a hidden one to filter by",
      ({ api }) => api.local.author.list({ filter: { email: "x" } as never }),
      { code: "BAD_REQUEST" },
    ],
    ["and a forged cursor", ({ api }) => api.local.book.list({ page: { after: "x" } }), { code: "BAD_REQUEST" }],
  ])("%s", async (_, act, expected) => {
    const thrown = await act(await start()).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(BifocalError);
    expect(thrown).toMatchObject(expected);
  });
});

test("a system call passes every rule and logs its reason", async () => {
  const { api, entries, emma } = await start();
  await api.as(asSystem("nightly clean-up")).book.delete(emma.id);
  expect(await api.local.book.get(emma.id)).toBeNull();
  expect(entries).toMatchObject([{ level: "info", message: expect.stringContaining("nightly clean-up") as string }]);
  // Validation still applies.
  await expect(api.as(asSystem("x")).tag.create({ slug: 5 as never, label: "" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
});

test("creates no system caller from the credential of a request", async () => {
  const { api, emma } = await start();
  const forged = { id: "x", roles: ["~system"], claims: { "~system": "gotcha" } };
  await expect(api.as(forged).book.delete(emma.id)).rejects.toMatchObject({ code: "FORBIDDEN" });
  const spread = { ...forged, ...(JSON.parse('{"~system":"gotcha"}') as object) };
  await expect(api.as(spread).book.delete(emma.id)).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test.each(["", " ", undefined])("rejects %j as the reason of a system call", (reason) => {
  expect(() => asSystem(reason as string)).toThrow(TypeError);
});

test("rejects the selection of a field that the caller cannot read, before the write", async () => {
  const { api, jane, emma } = await start();
  const refused = { code: "FORBIDDEN", message: "You are not allowed to read 'email'." };
  expect(await api.local.author.get(jane.id)).not.toHaveProperty("email");
  await expect(api.local.author.get(jane.id, { select: { email: true } })).rejects.toMatchObject(refused);
  await expect(api.local.author.list({ select: { email: true } })).rejects.toMatchObject(refused);
  const nested = api.local.book.get(emma.id, { select: { author: { select: { email: true } } } });
  await expect(nested).rejects.toMatchObject({
    code: "FORBIDDEN",
    message: "You are not allowed to read 'author.email'.",
  });
  expect(await api.local.book.get(emma.id, { select: { author: true } })).not.toHaveProperty("author.email");
  expect(await api.as({ id: "x" }).author.get(jane.id, { select: { email: true } })).toEqual({
    email: "jane@example.org",
  });
});

test("writes nothing if the caller cannot read the selected result", async () => {
  const own = defineResource("author", {
    fields: { id: z.uuid(), name: z.string(), email: z.string() },
    generated: { id: uuid() },
    bulk: { create: 2 },
    access: { read: allow, create: allow, update: allow, delete: allow, fields: { email: { read: signedIn } } },
  });
  const { local } = defineApi({ resources: [own], store: memoryStore() });
  const data = { name: "Jane", email: "jane@example.org" };
  const select = { email: true } as const;
  await expect(local.author.create(data, { select })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(local.author.createMany([data], { select })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await local.author.list()).toMatchObject({ items: [] });
});
