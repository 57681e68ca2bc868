import { expect, describe, test } from "vitest";
import { z } from "zod";
import {
  allow,
  asSystem,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  memoryStore,
  silentLog,
  type Store,
} from "../../src/index.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: {
    id: z.int32(),
    name: z.string(),
    born: z.date().nullable(),
    email: z.string(),
    isHidden: z.boolean(),
    deletedAt: z.iso.datetime().nullable(),
  },
  relations: { books: hasMany("book", "authorId") },
  softDelete: "deletedAt",
  access: {
    ...access,
    read: () => ({ isHidden: false }),
    fields: { email: { read: () => false } },
  },
});
const book = defineResource("book", {
  fields: { id: z.int32(), genre: z.string(), authorId: z.int32().nullable() },
  relations: { author: belongsTo("author", "authorId") },
  access,
  groupable: ["genre", "author.name", "author.born", "author.email"],
});

const AUTHORS = [
  { id: 1, name: "Ann", born: new Date("1950-05-05T00:00:00Z"), email: "a", isHidden: false },
  { id: 2, name: "Ben", born: new Date("1950-06-05T00:00:00Z"), email: "b", isHidden: true },
  { id: 3, name: "Ann", born: null, email: "c", isHidden: false },
  { id: 4, name: "Dan", born: null, email: "d", isHidden: false, deletedAt: "2026-01-01T00:00:00.000Z" },
].map((one) => ({ deletedAt: null, ...one }));
const BOOKS = [
  { id: 1, genre: "novel", authorId: 1 },
  { id: 2, genre: "novel", authorId: 2 },
  { id: 3, genre: "poem", authorId: 3 },
  { id: 4, genre: "poem", authorId: null },
  { id: 5, genre: "essay", authorId: 4 },
];

function start(wrap = (store: Store): Store => store) {
  return defineApi({
    resources: [author, book],
    store: wrap(memoryStore({ data: { author: AUTHORS, book: BOOKS } })),
    log: silentLog,
  });
}

async function get(path: string): Promise<unknown> {
  const { status, body } = await send(start(), "GET", path);
  expect([status, body]).toEqual([200, body]);
  return body;
}

const BY_NAME = [
  { group: { "author.name": "Ann" }, count: 2 },
  { group: { "author.name": null }, count: 3 },
];

describe("groups by a field of a to-one relation", () => {
  test("rows without an author, and with a hidden or deleted one, are one group", async () => {
    expect(await get("/books?aggregate=count&group=author.name")).toEqual(BY_NAME);
    expect(await get("/books?aggregate=count&group=author.born.month,genre&sort=-author.born.month,genre")).toEqual([
      { group: { "author.born.month": null, genre: "essay" }, count: 1 },
      { group: { "author.born.month": null, genre: "novel" }, count: 1 },
      { group: { "author.born.month": null, genre: "poem" }, count: 2 },
      { group: { "author.born.month": "1950-05", genre: "novel" }, count: 1 },
    ]);
  });

  test("pages continue in the same order", async () => {
    const api = start();
    const { headers, body } = await send(api, "GET", "/books?aggregate=count&group=author.name&page[size]=1");
    const next = /<([^>]+)>; rel="next"/.exec(headers["Link"] ?? "")?.[1] ?? "";
    expect([...(body as unknown[]), ...((await send(api, "GET", next)).body as unknown[])]).toEqual(BY_NAME);
  });

  test("GraphQL has them as `authorName`, also along relations", async () => {
    const query = "groupBy: [AUTHOR_NAME], sort: [AUTHOR_NAME_DESC]";
    const nodes = "nodes { group { authorName } count }";
    const { data, errors } = await ask(
      start(),
      `{ booksAggregate(${query}) { ${nodes} } authors { nodes { name booksAggregate(groupBy: [AUTHOR_NAME, AUTHOR_BORN_YEAR]) { nodes { group { authorName authorBornYear } count } } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      booksAggregate: {
        nodes: [
          { group: { authorName: null }, count: 3 },
          { group: { authorName: "Ann" }, count: 2 },
        ],
      },
      authors: {
        nodes: [
          {
            name: "Ann",
            booksAggregate: { nodes: [{ group: { authorName: "Ann", authorBornYear: "1950" }, count: 1 }] },
          },
          {
            name: "Ann",
            booksAggregate: { nodes: [{ group: { authorName: "Ann", authorBornYear: null }, count: 1 }] },
          },
        ],
      },
    });
  });

  test("local calls decode their values, and system calls see all living rows", async () => {
    const { book: books } = start().local;
    const query = { aggregate: ["count"], group: ["author.born"] } as const;
    expect((await books.aggregate(query)).groups).toEqual([
      { group: { "author.born": new Date("1950-05-05T00:00:00Z") }, count: 1 },
      { group: { "author.born": null }, count: 4 },
    ]);
    const all = await start()
      .as(asSystem("a test"))
      .book.aggregate({ ...query, group: ["author.name", "author.email"] });
    expect(all.groups.map(({ group }) => Object.values(group))).toEqual([
      ["Ann", "a"],
      ["Ann", "c"],
      ["Ben", "b"],
      [null, null],
    ]);
  });

  test.each([
    ["author.email", 403, "not_readable", "You can't group by 'author.email', because you are not allowed to read it."],
    [
      "author.isHidden",
      400,
      "unknown_group",
      "'book' can't be grouped by 'author.isHidden'. Did you mean 'author.name'?",
    ],
  ])("rejects %s", async (name, status, code, message) => {
    const answer = await send(start(), "GET", `/books?aggregate=count&group=${name}`);
    expect(answer).toMatchObject({ status, body: { errors: [{ path: ["group"], code }] } });
    expect((answer.body as { errors: { message: string }[] }).errors[0]?.message).toContain(message.slice(0, 40));
  });

  test("rejects them if the store can't follow relations", async () => {
    const api = start((store) => ({ ...store, capabilities: { ...store.capabilities, relatedGroups: false } }));
    const { status, body } = await send(api, "GET", "/books?aggregate=count&group=author.name");
    expect([status, body]).toMatchObject([400, { errors: [{ code: "unsupported", path: ["group"] }] }]);
    expect((await send(api, "GET", "/books?aggregate=count&group=genre")).status).toBe(200);
  });

  test("rejects definitions that name other paths", () => {
    for (const name of ["author.nme", "books.genre", "author.books.genre"]) {
      const wrong = defineResource("wrong", {
        fields: { id: z.int32(), authorId: z.int32() },
        relations: { author: belongsTo("author", "authorId") },
        access,
        groupable: [name as never],
      });
      expect(() => defineApi({ resources: [author, book, wrong], log: silentLog })).toThrow(`Unknown field '${name}'`);
    }
  });
});
