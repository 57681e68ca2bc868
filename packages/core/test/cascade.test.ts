import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  isBifocalError,
  type LimitOptions,
  memoryStore,
  silentLog,
} from "../src/index.ts";
import { rateLimit } from "../src/limits/rate-limit/rate-limit.ts";
import { expect, test } from "vitest";
import { z } from "zod";
import { request } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: { id: z.int32(), name: z.string() },
  relations: { books: hasMany("book", "authorId") },
  access,
  filterable: ["id"],
  bulk: { delete: 10 },
});
const book = defineResource("book", {
  fields: { id: z.int32(), authorId: z.int32(), sequelOf: z.int32().nullable(), editorId: z.int32().nullable() },
  relations: {
    author: belongsTo("author", "authorId", { onDelete: "cascade" }),
    editor: belongsTo("author", "editorId", { onDelete: "setNull" }),
    first: belongsTo("book", "sequelOf", { onDelete: "cascade" }),
  },
  access,
});

type Book = Readonly<Record<"id" | "authorId", number> & Record<"sequelOf" | "editorId", number | null>>;

function start(books: readonly Book[], limits: LimitOptions = {}) {
  const data = { author: [1, 2, 3].map((id) => ({ id, name: `Author ${id}` })), book: books };
  const limiter = rateLimit({ anonymousPoints: 1_000 });
  const api = defineApi({
    resources: [author, book],
    store: memoryStore({ data }),
    rateLimit: limiter,
    limits,
    log: silentLog,
  });
  return { api, data };
}

const booksOf = (count: number, others: (id: number) => Partial<Book> = () => ({})): Book[] =>
  Array.from({ length: count }, (_, n) => ({
    id: n + 1,
    authorId: 1,
    sequelOf: null,
    editorId: null,
    ...others(n + 1),
  }));

/** The points that a request costs. */
async function pointsOf(api: ReturnType<typeof start>["api"], method: string, path: string) {
  const before = await remaining(api);
  const response = await api.handle({ ...request(method, path), address: "10.0.0.1" });
  return { status: response?.status, points: before - (await remaining(api)) - 1 };
}

async function remaining(api: ReturnType<typeof start>["api"]): Promise<number> {
  const response = await api.handle({ ...request("GET", "/authors?page[size]=1"), address: "10.0.0.1" });
  return Number(/r=(\d+)/.exec(String(response?.headers["RateLimit"]))?.[1]);
}

test("charges a point for each 50 rows that a delete cascades to", async () => {
  const { api } = start([...booksOf(5_000), ...booksOf(5_000, (id) => ({ id: id + 5_000, authorId: 2, editorId: 1 }))]);
  // A write costs 10; 5,000 rows are deleted and 5,000 changed.
  expect(await pointsOf(api, "DELETE", "/authors/1")).toEqual({ status: 200, points: 1 + 200 });
  expect(await pointsOf(api, "DELETE", "/authors/3")).toEqual({ status: 200, points: 1 });
});

test("limits the rows of all cascades of one operation together", async () => {
  const { api } = start([...booksOf(6), ...booksOf(5, (id) => ({ id: id + 6, authorId: 2, editorId: 3 }))], {
    query: { cascade: 10 },
  });
  const refused = await api.local.author.deleteMany({ id: { in: [1, 2] } }).catch((thrown: unknown) => thrown);
  expect(isBifocalError(refused) && refused.code).toBe("CONFLICT");
  expect(refused).toMatchObject({ message: expect.stringContaining("more than 10 other rows (limit 'cascade')") });
  expect((await api.local.book.list({ page: { size: 50 } })).items).toHaveLength(11);
  await api.local.author.delete(1);
  await api.local.author.delete(3);
  const { items } = await api.local.book.list();
  expect(items.map(({ authorId, editorId }) => [authorId, editorId])).toEqual(Array(5).fill([2, null]));
});

test.each<[name: string, sequelOf: (id: number, count: number) => number | null]>([
  ["a chain", (id) => (id === 1 ? null : id - 1)],
  ["a chain from its end", (id, count) => (id === count ? null : id + 1)],
  ["a cycle", (id, count) => (id % count) + 1],
  ["many cycles", (id) => (id % 2 === 0 ? id - 1 : id + 1)],
  ["all sequels of one book", (id) => (id === 1 ? null : 1)],
])("deletes sequels in %s with their author", async (_, sequelOf) => {
  const { api } = start(booksOf(2_000, (id) => ({ sequelOf: sequelOf(id, 2_000) })));
  await api.local.author.delete(1);
  expect((await api.local.book.list()).items).toEqual([]);
  expect((await api.local.author.list()).items).toHaveLength(2);
});

test("serves other requests during a long cascade", async () => {
  const { api } = start(booksOf(10_000));
  let turns = 0;
  const timer = setInterval(() => void turns++, 0);
  await api.local.author.delete(1);
  clearInterval(timer);
  // Without pauses, a transaction in memory would take one turn of the event loop.
  expect(turns).toBeGreaterThan(0);
});
