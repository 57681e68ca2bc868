import { memoryStore } from "@bifocal/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApi, drizzleStore } from "../src/create.ts";
import { openDatabase } from "../src/database.ts";

const AUTHORS = ["Ann", "ben", "Élise"].map((name, at) => ({ id: at + 1, name }));
const BOOKS = Array.from({ length: 12 }, (_, at) => ({
  id: at + 1,
  title: `${["Emma", "emma", "100%"][at % 3]} ${at % 5}`,
  authorId: (at % 3) + 1,
  price: at % 4 === 0 ? null : (at % 5) * 2.5,
}));

const heard: string[] = [];
const { db, close } = openDatabase(":memory:", (text) => heard.push(text));
const api = createApi(drizzleStore(db));
const memory = createApi(memoryStore());

beforeAll(async () => {
  for (const one of [api, memory]) {
    for (const author of AUTHORS) await one.local.author.create(author);
    for (const book of BOOKS) await one.local.book.create(book);
  }
});
afterAll(close);

type Query = Parameters<typeof api.local.book.list>[0];

const QUERIES: readonly Query[] = [
  {},
  { filter: { price: { gte: 2.5 } }, sort: ["-price", "title"] },
  { filter: { price: { isNull: true } } },
  { filter: { title: { icontains: "EMM" } }, sort: ["title"] },
  { filter: { not: { title: { startsWith: "Emma" } }, authorId: 1 } },
  {
    filter: { or: [{ price: { lt: 5 } }, { title: { contains: "%" } }] },
    sort: ["title"],
    page: { size: 3, offset: 1 },
  },
  { filter: { or: [{ id: { in: [1, 2] } }, { id: 7 }] } },
  { filter: { author: { name: "Ann" } }, sort: ["title"] },
  { filter: { id: { ne: 3 } }, count: true, page: { size: 2 } },
];

describe("returns the same rows as the memory store", () => {
  test.each(QUERIES)("%o", async (query) => {
    const { items, total, hasNext } = await api.local.book.list(query);
    const expected = await memory.local.book.list(query);
    expect({ items, total, hasNext }).toEqual({
      items: expected.items,
      total: expected.total,
      hasNext: expected.hasNext,
    });
  });

  test("returns relations with one statement per level", async () => {
    const select = { name: true, books: { select: { title: true, author: { select: { name: true } } } } } as const;
    heard.length = 0;
    const said = await api.local.author.list({ select });
    expect(said.items).toEqual((await memory.local.author.list({ select })).items);
    expect(heard.length).toBeLessThanOrEqual(5);
  });

  test("writes", async () => {
    const change = { title: "Persuasion", price: 3 };
    expect(await api.local.book.update(2, change)).toEqual(await memory.local.book.update(2, change));
    await api.local.book.delete(3);
    expect(await api.local.book.get(3)).toBe(null);
    expect(await api.local.book.get(2)).toMatchObject(change);
  });
});

test("passes supported filters to Drizzle", async () => {
  heard.length = 0;
  await api.local.book.list({ filter: { price: { gte: 2.5 }, title: { startsWith: "E" } } });
  expect(heard.join()).toContain('"books"."price" >= ?');
});
