import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["name"],
});
const book = defineResource("book", {
  fields: { id: z.int32(), sold: z.int32(), authorId: z.int32() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  filterable: ["authorId", "sold"],
  bulk: { create: 10, update: 10, delete: 10 },
});

function createApi(database: TestDatabase | undefined) {
  const store = database === undefined ? memoryStore() : sqlStore({ url: database.url, autoCreate: true });
  return defineApi({ resources: [author, book], store });
}

const memory = { name: "memory", missing: undefined, create: undefined } as const;

describe.each([memory, ...servers].filter(({ missing }) => missing === undefined))("$name", ({ create }) => {
  let database: TestDatabase | undefined;
  let api: ReturnType<typeof createApi>;
  beforeAll(async () => {
    database = await create?.();
  });
  beforeEach(async () => {
    await database?.empty();
    api = createApi(database);
    await api.local.author.create({ id: 1, name: "Jane Austen" });
    await api.local.book.createMany([1, 2, 3].map((id) => ({ id, sold: 0, authorId: 1 })));
    return () => api.close();
  });
  afterAll(() => database?.drop());

  const times = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 6 }, work));

  test("bases writes of a transaction after a list on the newest rows", async () => {
    await times(() =>
      api.transaction(async ({ book: books }) => {
        const { items, total } = await books.list({ filter: { authorId: 1 }, count: true });
        await sleep(3);
        await books.update(1, { sold: (items[0]?.sold ?? 0) + (total ?? 0) });
      }),
    );
    expect(await api.local.book.get(1)).toMatchObject({ sold: 18 });
  });

  test("bases them on the newest rows of nested lists too", async () => {
    await times(() =>
      api.transaction(async (local) => {
        const select = { books: { select: { sold: true } } } as const;
        const { items } = await local.author.list({ filter: { name: "Jane Austen" }, select });
        const [found] = items[0]?.books ?? [];
        await sleep(3);
        await local.book.update(1, { sold: (found?.sold ?? 0) + 1 });
      }),
    );
    expect(await api.local.book.get(1)).toMatchObject({ sold: 6 });
  });

  test("lets only one of several concurrent bulk changes find each row", async () => {
    const changed = await times(() => api.local.book.updateMany({ sold: 0 }, { sold: 1 }));
    expect(changed.map(({ length }) => length).filter((length) => length > 0)).toEqual([3]);
    const deleted = await times(() => api.local.book.deleteMany({ sold: 1 }));
    expect(deleted.map(({ length }) => length).filter((length) => length > 0)).toEqual([3]);
  });
});
