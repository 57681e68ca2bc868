import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  manyToMany,
  memoryStore,
  type Store,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const SEED = process.env["PROPERTY_SEED"];
const access = { read: allow, create: allow, update: allow, delete: allow };
const soft = { ...access, deleted: allow };
const deletedAt = z.iso.datetime().nullable();

const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
});
const book = defineResource("book", {
  fields: {
    id: z.int32(),
    isbn: z.string(),
    authorId: z.int32().nullable(),
    prequelId: z.int32().nullable(),
    deletedAt,
  },
  relations: {
    author: belongsTo("author", "authorId"),
    prequel: belongsTo("book", "prequelId", { onDelete: "setNull" }),
    reviews: hasMany("review", "bookId"),
    tags: manyToMany("tag"),
  },
  softDelete: "deletedAt",
  unique: ["isbn"],
  access: soft,
  filterable: ["isbn"],
  sortable: ["isbn"],
  bulk: { update: 10, delete: 10 },
});
const review = defineResource("review", {
  fields: { id: z.int32(), stars: z.int32(), bookId: z.int32(), deletedAt },
  relations: { book: belongsTo("book", "bookId", { onDelete: "cascade" }) },
  softDelete: "deletedAt",
  access: soft,
  filterable: ["stars"],
});
const tag = defineResource("tag", {
  fields: { id: z.int32() },
  relations: { books: manyToMany("book") },
  access,
});

function createApi(store: Store) {
  return defineApi({
    resources: [author, book, review, tag],
    store,
    log: { info() {}, warn() {}, error() {}, debug() {} } as never,
  });
}
type Api = ReturnType<typeof createApi>;

async function fill(api: Api): Promise<void> {
  const { local } = api;
  for (const id of [1, 2]) await local.author.create({ id, name: `a${id}` });
  for (const id of [1, 2, 3]) await local.tag.create({ id });
  for (const id of [1, 2, 3]) {
    await local.book.create({ id, isbn: `i${id}`, authorId: id === 3 ? 2 : 1, prequelId: id === 1 ? null : id - 1 });
    await local.book.link(id, "tags", 1);
  }
  for (const id of [1, 2, 3, 4]) await local.review.create({ id, stars: id, bookId: id < 3 ? 1 : id - 1 });
}

const id = fc.integer({ min: 1, max: 4 });
const isbn = id.map((n) => `i${n}`);
const shown = fc.constantFrom("only", "with", undefined);
/** Each step by its kind. */
const STEPS: Readonly<Record<string, fc.Arbitrary<(api: Api) => Promise<unknown>>>> = {
  deleteBook: id.map((key) => (api) => api.local.book.delete(key)),
  deleteReview: id.map((key) => (api) => api.local.review.delete(key)),
  deleteAuthor: id.map((key) => (api) => api.local.author.delete(key)),
  deleteMany: isbn.map((eq) => (api) => api.local.book.deleteMany({ isbn: { eq } })),
  restoreBook: id.map((key) => (api) => api.local.book.restore(key)),
  restoreReview: id.map((key) => (api) => api.local.review.restore(key)),
  update: fc.tuple(id, isbn).map(
    ([key, value]) =>
      (api) =>
        api.local.book.update(key, { isbn: value }),
  ),
  create: fc.tuple(id, isbn, id).map(
    ([key, value, prequelId]) =>
      (api) =>
        api.as(asSystem("create")).book.create({ id: key + 4, isbn: value, authorId: null, prequelId }),
  ),
  review: fc.tuple(id, id).map(
    ([key, bookId]) =>
      (api) =>
        api.local.review.create({ id: key + 4, stars: 1, bookId }),
  ),
  link: fc.tuple(id, id).map(
    ([key, other]) =>
      (api) =>
        api.local.book.link(key, "tags", other),
  ),
  get: fc.tuple(id, shown).map(
    ([key, deleted]) =>
      (api) =>
        api.local.book.get(key, {
          ...(deleted && { deleted }),
          select: { isbn: true, deletedAt: true, prequel: true, reviews: true, tags: true },
        }),
  ),
  list: shown.map(
    (deleted) => (api) =>
      api.local.book.list({
        ...(deleted && { deleted }),
        sort: ["-isbn"],
        count: true,
        select: { id: true, author: { select: { books: true } } },
      }),
  ),
  filtered: fc.tuple(id, fc.constantFrom("some" as const, "every" as const, "none" as const)).map(
    ([stars, quantifier]) =>
      (api) =>
        api.local.book.list({ filter: { reviews: { [quantifier]: { stars: { gte: stars } } } } }),
  ),
  tags: fc.constant((api: Api) => api.local.tag.list({ select: { books: true } })),
};
const step = fc
  .constantFrom(...Object.keys(STEPS))
  .chain((kind) => (STEPS[kind] as (typeof STEPS)[string]).map((run) => ({ kind, run })));

/** Returns a result without the times of deletions, which differ. */
async function resultOf(api: Api, { run }: { readonly run: (api: Api) => Promise<unknown> }): Promise<string> {
  try {
    const text = JSON.stringify(await run(api)) ?? "done";
    return text.replace(/"deletedAt":"[^"]+"/g, '"deletedAt":"then"').replace(/"(start|end)Cursor":"[^"]+"/g, "");
  } catch (thrown) {
    return String((thrown as { code?: unknown }).code ?? thrown);
  }
}

const person = defineResource("person", {
  fields: { id: z.int32() },
  relations: { passport: hasOne("passport", "personId") },
  access,
  groupable: ["passport.country"],
});
const passport = defineResource("passport", {
  fields: { id: z.int32(), country: z.string(), personId: z.int32(), deletedAt },
  relations: { person: belongsTo("person", "personId") },
  softDelete: "deletedAt",
  unique: ["personId"],
  access: soft,
  sortable: ["country"],
  groupable: ["country"],
});

async function listByCountry(store: Store): Promise<unknown> {
  const { local, close } = defineApi({ resources: [person, passport], store });
  for (const id of [1, 2, 3]) await local.person.create({ id });
  await local.passport.create({ id: 1, country: "A", personId: 1 });
  await local.passport.create({ id: 2, country: "B", personId: 2 });
  await local.passport.delete(1);
  await local.passport.create({ id: 3, country: "C", personId: 1 });
  await local.passport.create({ id: 4, country: "D", personId: 3 });
  await local.passport.delete(4);
  const sort = ["passport.country"] as const;
  const first = await local.person.list({ sort, page: { size: 1 } });
  const rest = await local.person.list({ sort, page: { after: first.endCursor as string } });
  const { groups } = await local.person.aggregate({ aggregate: ["count"], group: ["passport.country"] });
  expect(new Set(groups.map(({ group }) => group["passport.country"]))).toEqual(new Set(["B", "C", null]));
  await close();
  return [...first.items, ...rest.items].map(({ id: key }) => key);
}

const edition = defineResource("edition", {
  fields: { id: z.int32(), isbn: z.string(), deletedAt },
  relations: { copies: hasMany("copy", "isbn", { references: "isbn" }), notes: hasMany("note", "editionId") },
  softDelete: "deletedAt",
  unique: ["isbn"],
  access: soft,
});
const copy = defineResource("copy", {
  fields: { id: z.int32(), isbn: z.string().nullable(), deletedAt },
  relations: { edition: belongsTo("edition", "isbn", { references: "isbn", onDelete: "setNull" }) },
  softDelete: "deletedAt",
  access: soft,
});
const note = defineResource("note", {
  fields: { id: z.int32(), editionId: z.int32(), isbn: z.string().nullable(), deletedAt },
  relations: {
    edition: belongsTo("edition", "editionId"),
    namesake: belongsTo("edition", "isbn", { references: "isbn" }),
  },
  softDelete: "deletedAt",
  access: soft,
});

async function referenceLiving(store: Store): Promise<unknown> {
  const { local, close } = defineApi({ resources: [edition, copy, note], store });
  await local.edition.create({ id: 1, isbn: "a" });
  await local.copy.create({ id: 1, isbn: "a" });
  await local.edition.delete(1);
  await expect(local.copy.create({ id: 2, isbn: "a" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await local.edition.create({ id: 2, isbn: "a" });
  await local.copy.create({ id: 2, isbn: "a" });
  await expect(local.edition.restore(1)).rejects.toMatchObject({ code: "CONFLICT" });
  const { items } = await local.copy.list({ select: { id: true, edition: { select: { id: true } } } });
  await close();
  return items;
}
const COPIES = [
  { id: 1, edition: null },
  { id: 2, edition: { id: 2 } },
];

/** Changes values that deleted rows reference. Returns the copies, which were deleted meanwhile. */
async function changeReferenced(store: Store): Promise<unknown> {
  const { local, close } = defineApi({ resources: [edition, copy, note], store });
  const rename = async (isbn: string): Promise<unknown> => local.edition.update(1, { isbn });
  await local.edition.create({ id: 1, isbn: "a" });
  for (const id of [1, 2]) await local.copy.create({ id, isbn: "a" });
  await local.copy.delete(1);
  await expect(rename("b")).rejects.toMatchObject({ code: "CONFLICT", message: expect.stringContaining("copies") });
  await local.copy.delete(2);
  await rename("b");
  await local.copy.restore(1);
  await local.edition.create({ id: 2, isbn: "a" });
  await local.copy.restore(2);
  // Keys aren't used again, so a deleted reference to a key has only one possible target.
  await local.note.create({ id: 1, editionId: 1, isbn: "b" });
  await local.note.delete(1);
  await expect(local.edition.update(1, { id: 9 })).rejects.toMatchObject({ code: "CONFLICT" });
  await rename("c");
  await expect(local.note.restore(1)).rejects.toMatchObject({
    message:
      "This note can't be restored, because its namesake is deleted or no longer has the referenced value. Restore the namesake or its value first.",
  });
  await rename("b");
  await local.note.restore(1);
  const { items } = await local.copy.list({ select: { id: true, edition: { select: { id: true } } } });
  await close();
  return items;
}

/** Restores a loan while another instance changes the value that it references. The first one waits for the second. */
async function restoreWhileRenaming(open: () => Store, first: "restore" | "rename"): Promise<unknown> {
  let [enter, leave] = [(): void => {}, (): void => {}];
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const left = new Promise<void>((resolve) => (leave = resolve));
  const pause = async (): Promise<void> => {
    enter();
    await left;
  };
  const unique = { softDelete: "deletedAt", unique: ["isbn"], access: soft } as const;
  const fields = { id: z.int32(), isbn: z.string(), deletedAt };
  const createApi = (pauses: boolean) =>
    defineApi({
      store: open(),
      resources: [
        defineResource("edition", {
          ...unique,
          fields,
          hooks: pauses && first === "rename" ? { update: { after: pause } } : {},
        }),
        defineResource("loan", {
          fields,
          relations: { edition: belongsTo("edition", "isbn", { references: "isbn" }) },
          softDelete: "deletedAt",
          access: soft,
          hooks: pauses && first === "restore" ? { act: { after: pause } } : {},
        }),
      ],
    });
  const [own, other] = [createApi(true), createApi(false)];
  await own.local.edition.create({ id: 1, isbn: "a" });
  await own.local.loan.create({ id: 1, isbn: "a" });
  await own.local.loan.delete(1);
  const restore = async ({ local }: typeof own): Promise<unknown> => local.loan.restore(1);
  const rename = async ({ local }: typeof own): Promise<unknown> => local.edition.update(1, { isbn: "b" });
  const running = first === "restore" ? restore(own) : rename(own);
  await Promise.race([entered, running]);
  const waiting = Promise.allSettled([first === "restore" ? rename(other) : restore(other)]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  leave();
  await running;
  const [second] = await waiting;
  const { items } = await other.local.loan.list({ select: { id: true, edition: { select: { id: true } } } });
  await own.close();
  await other.close();
  return { refused: second?.status === "rejected" ? second.reason.code : undefined, items };
}

test("references a unique value of a living row in memory", async () => {
  expect(await referenceLiving(memoryStore())).toEqual(COPIES);
});

test("lets a value change that only deleted rows reference in memory", async () => {
  expect(await changeReferenced(memoryStore())).toEqual(COPIES);
});

test("sorts by the living row of a relation in memory", async () => {
  expect(await listByCountry(memoryStore())).toEqual([2, 1, 3]);
});

describe.each(servers.filter(({ missing }) => missing === undefined))("$name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());

  test("sorts by the living row of a relation", async () => {
    await database.clear();
    expect(await listByCountry(sqlStore({ url: database.url, autoCreate: true, max: 2 }))).toEqual([2, 1, 3]);
    await database.clear();
  });

  test("references a unique value of a living row", async () => {
    await database.clear();
    expect(await referenceLiving(sqlStore({ url: database.url, autoCreate: true, max: 2 }))).toEqual(COPIES);
    await database.clear();
  });

  test("lets a value change that only deleted rows reference", async () => {
    await database.clear();
    expect(await changeReferenced(sqlStore({ url: database.url, autoCreate: true, max: 2 }))).toEqual(COPIES);
    await database.clear();
  });

  test.each([
    ["restore", [{ id: 1, edition: { id: 1 } }]],
    ["rename", []],
  ] as const)("no reference is left over from a restore beside a rename, the %s first", async (first, items) => {
    await database.clear();
    const open = () => sqlStore({ url: database.url, autoCreate: true, max: 2 });
    expect(await restoreWhileRenaming(open, first)).toEqual({ refused: "CONFLICT", items });
    await database.clear();
  });

  test("soft delete has the same effects as in memory", async () => {
    const succeeded: Record<string, number> = {};
    const property = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30, size: "max" }), async (steps) => {
      await database.empty();
      const sql = createApi(sqlStore({ url: database.url, autoCreate: true, max: 2 }));
      await sql.ready;
      const memory = createApi(memoryStore());
      await fill(memory);
      await fill(sql);
      for (const one of steps) {
        const expected = await resultOf(memory, one);
        expect([one.kind, await resultOf(sql, one)]).toEqual([one.kind, expected]);
        if (!/^[A-Z_]+$/.test(expected)) succeeded[one.kind] = (succeeded[one.kind] ?? 0) + 1;
      }
      await sql.close();
    });
    const missing = (): readonly string[] => Object.keys(STEPS).filter((kind) => (succeeded[kind] ?? 0) === 0);
    // A few seeds draw 25 sequences without a rare success.
    for (let round = 0; round < 4 && (round === 0 || missing().length > 0); round++)
      await fc.assert(property, { numRuns: 25, ...(SEED === undefined ? {} : { seed: Number(SEED) + round }) });
    expect(missing()).toEqual([]);
  }, 120_000);
});
