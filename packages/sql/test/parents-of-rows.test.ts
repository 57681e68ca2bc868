import { allow, belongsTo, defineApi, defineResource, hasMany, memoryStore } from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const KEYS = { number: z.int32(), bigint: z.bigint(), uuid: z.uuid(), text: z.string() } as const;

/** Authors with keys of a type, and their books. A book refers to a second author too, which may be another one. */
function createResources(key: (typeof KEYS)[keyof typeof KEYS]) {
  const author = defineResource("author", {
    fields: { id: key, name: z.string() },
    relations: { books: hasMany("book", "authorId"), edited: hasMany("book", "editorId") },
    access,
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), authorId: key, editorId: key.nullable() },
    relations: { author: belongsTo("author", "authorId"), editor: belongsTo("author", "editorId") },
    access,
    sortable: ["authorId", "title"],
  });
  return [author, book] as const;
}

const ids: Readonly<Record<keyof typeof KEYS, readonly unknown[]>> = {
  number: [7, 8, 9],
  bigint: [7n, 9_007_199_254_740_993n, 9n],
  uuid: ["7", "8", "9"].map((digit) => `0000000${digit}-0000-4000-8000-00000000abcd`),
  text: ["a", "A", "é"],
};

const queries = [
  // No other column than the key of the parent.
  { books: { select: { authorId: true } } },
  {
    books: { select: { id: true, authorId: true, editorId: true } },
    edited: { select: { title: true, authorId: true } },
  },
  { books: { select: { title: true, author: { select: { name: true, edited: { select: { editorId: true } } } } } } },
  { books: { sort: ["-authorId", "title"], page: { size: 2 }, select: { authorId: true, title: true } } },
];

/** An API whose keys have another type in each case. */
interface Untyped {
  readonly local: Readonly<
    Record<
      "author" | "book",
      {
        readonly create: (row: object) => Promise<unknown>;
        readonly list: (options: object) => Promise<unknown>;
      }
    >
  >;
  readonly close: () => Promise<void>;
}

/** The cursors of each API are encrypted with a key of its own. */
function withoutCursors(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, inner: unknown) =>
      typeof inner === "bigint" ? String(inner) : /cursor$/i.test(name) ? undefined : inner,
    ),
  );
}

describe.each(servers.filter(({ missing }) => missing === undefined))("$name", ({ name, create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());

  test.each(Object.keys(KEYS) as (keyof typeof KEYS)[])(
    "returns the foreign keys of related rows, which are a %s",
    async (type) => {
      await database.clear();
      const resources = createResources(KEYS[type]);
      const store = sqlStore({ url: database.url, autoCreate: true, plan: "flat" });
      const [own, memory] = [
        defineApi({ resources, store }),
        defineApi({ resources, store: memoryStore() }),
      ] as unknown as readonly [Untyped, Untyped];
      onTestFinished(() => own.close());
      const [first, second, third] = ids[type];
      for (const { local } of [own, memory]) {
        for (const id of ids[type]) await local.author.create({ id, name: String(id) });
        for (const [id, authorId, editorId] of [
          [1, first, null],
          [2, first, second],
          [3, second, second],
          [4, first, third],
        ])
          await local.book.create({ id, title: `Book ${String(id)}`, authorId, editorId });
      }
      for (const select of queries) {
        const read = ({ local }: Untyped): Promise<unknown> =>
          local.author.list({ page: { size: 5 }, select: { id: true, ...select } });
        expect(withoutCursors(await read(own))).toEqual(withoutCursors(await read(memory)));
      }
    },
  );

  test.runIf(name === "postgres")("doesn't read them from the related rows", async () => {
    await database.clear();
    const resources = createResources(KEYS.uuid);
    const store = sqlStore({ url: database.url, autoCreate: true, plan: "flat" });
    const { local, close } = defineApi({ resources, store });
    await local.author.create({ id: ids.uuid[0] as string, name: "Ann" });
    async function columnsOf(fields: object): Promise<number> {
      const { statements } = await store.explain(() => local.author.list({ select: { books: { select: fields } } }));
      return statements.at(-1)?.sql.match(/ as "c\d+"/g)?.length ?? 0;
    }
    const alone = await columnsOf({ title: true });
    expect(await columnsOf({ title: true, authorId: true })).toBe(alone);
    expect(await columnsOf({ title: true, editorId: true })).toBe(alone + 1);
    await close();
  });
});
