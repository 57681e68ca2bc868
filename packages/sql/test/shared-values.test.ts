import {
  allow,
  belongsTo,
  count,
  defineApi,
  defineResource,
  hasMany,
  max,
  memoryStore,
  type Store,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string(), mentorId: z.int32().nullable() },
  relations: {
    books: hasMany("book", "authorId"),
    mentor: belongsTo("author", "mentorId"),
    pupils: hasMany("author", "mentorId"),
  },
  // The statements of the first two only differ in the values of their parameters.
  computed: {
    cheap: count("books", { price: { lt: 3 } }),
    fair: count("books", { price: { lt: 7 } }),
    highest: max("books", "price"),
  },
  filterable: ["cheap", "fair", "highest"],
  sortable: ["cheap", "fair", "highest"],
  access,
  page: { size: 4 },
  bulk: { create: 100 },
});
const book = defineResource("book", {
  fields: { id: z.int32(), price: z.int32(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  bulk: { create: 100 },
});

const authors = Array.from({ length: 12 }, (_, id) => ({ id, name: `n${id}`, mentorId: id < 3 ? null : id % 3 }));
// The last authors have no books, so their highest price is missing.
const books = Array.from({ length: 40 }, (_, id) => ({ id, price: (id * 7) % 11, authorId: (id * id) % 10 }));

async function openApi(store: Store) {
  const api = defineApi({ resources: [author, book], store });
  await api.ready;
  await api.local.author.createMany(authors.slice(0, 3));
  await api.local.author.createMany(authors.slice(3));
  await api.local.book.createMany(books);
  return api;
}
type Api = Awaited<ReturnType<typeof openApi>>;

const FILTERS = [
  undefined,
  { cheap: { gte: 1 } },
  { fair: { gte: 1 } },
  { and: [{ cheap: { gte: 1 } }, { fair: { lt: 3 } }] },
  { or: [{ highest: { isNull: true } }, { not: { highest: { lt: 6 } } }] },
  { mentor: { cheap: { gte: 1 } } },
] as const;
const SORTS = [
  ["cheap"],
  ["-fair", "cheap"],
  ["highest", "-cheap"],
  ["-highest"],
  ["mentor.cheap", "cheap"],
  [],
] as const;
const SELECTS = [{ id: true }, { id: true, cheap: true, fair: true, highest: true }] as const;

/** Reads all pages of all lists, and those of the pupils of each author. */
async function readAll({ local }: Api): Promise<readonly unknown[]> {
  const lists: unknown[] = [];
  for (const filter of FILTERS) {
    for (const sort of SORTS) {
      for (const select of SELECTS) {
        const nested = { select, page: { size: 2 }, sort, ...(filter && { filter }) };
        const query = { select: { ...select, pupils: nested }, sort, ...(filter && { filter }) };
        let after: string | undefined;
        do {
          const page = await local.author.list({ ...query, page: after === undefined ? {} : { after } });
          lists.push(page.items);
          after = page.hasNext && page.endCursor !== null ? page.endCursor : undefined;
        } while (after !== undefined);
      }
    }
  }
  return lists;
}

describe.each(servers.filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());

  test("orders, selects and pages by several values as memoryStore does", { timeout: 60_000 }, async () => {
    const [memory, api] = await Promise.all([
      openApi(memoryStore()),
      openApi(sqlStore({ url: database.url, autoCreate: true })),
    ]);
    const expected = await readAll(memory);
    expect(expected.length).toBeGreaterThan(150);
    expect(await readAll(api)).toEqual(expected);
    await Promise.all([memory.close(), api.close()]);
  });

  test.runIf(name === "postgres")(
    "computes a value once for the condition, the order, the row and the cursor",
    async () => {
      await database.clear();
      const store = sqlStore({ url: database.url, autoCreate: true });
      const api = await openApi(store);
      const { statements } = await store.explain(() =>
        api.local.author.list({ select: { cheap: true }, filter: { cheap: { gte: 1 } }, sort: ["-cheap"] }),
      );
      expect(statements.map(({ sql }) => sql.split('"books"').length - 1)).toEqual([1]);
      await api.close();
    },
  );
});
