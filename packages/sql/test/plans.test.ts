import {
  allow,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasOne,
  hasRole,
  manyToMany,
  memoryStore,
  type Store,
} from "@bifocal/core";
import { servers, type TestDatabase } from "@bifocal/test-servers";
import { request } from "@bifocal/test-servers/request";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";
import type { ReadPlan } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const author = defineResource("author", {
  fields: {
    id: z.int32(),
    name: z.string(),
    born: z.iso.date().nullable(),
    active: z.boolean(),
    rank: z.int32().nullable(),
  },
  relations: { books: hasMany("book", "authorId"), profile: hasOne("profile", "authorId") },
  access,
  filterable: ["name", "active"],
  sortable: ["name", "born"],
});
const profile = defineResource("profile", {
  fields: { id: z.uuid(), authorId: z.int32(), text: z.string() },
  relations: { author: belongsTo("author", "authorId") },
  unique: ["authorId"],
  access: { ...access, fields: { text: { read: hasRole("editor") } } },
});
const book = defineResource("book", {
  fields: {
    id: z.string(),
    title: z.string(),
    authorId: z.int32().nullable(),
    genre: z.enum(["novel", "poem"]),
    at: z.iso.datetime().nullable(),
    pages: z.bigint().nullable(),
    price: z.number().nullable(),
    extra: z.json(),
  },
  relations: { author: belongsTo("author", "authorId"), tags: manyToMany("tag"), reviews: hasMany("review", "bookId") },
  access,
  filterable: ["title", "genre", "price"],
  sortable: ["title", "at", "price"],
});
const review = defineResource("review", {
  fields: { id: z.int32(), bookId: z.string(), stars: z.int32() },
  relations: { book: belongsTo("book", "bookId") },
  access,
  filterable: ["stars"],
  sortable: ["stars"],
});
const tag = defineResource("tag", {
  key: "slug",
  fields: { slug: z.string(), name: z.string() },
  relations: { books: manyToMany("book") },
  access,
  sortable: ["name"],
});
const resources = [author, profile, book, review, tag] as const;

const text = fc.oneof(
  fc.constantFrom(
    "",
    "plain",
    'quote " and \\ back',
    "line\nfeed\ttab\r",
    "\u0001\u001f\u007f",
    "é ü ß",
    "\u{1F600}",
    "\u2028 \uFFFD",
    "</script>",
    "a'b%_",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((one) => !one.includes("\0")),
);
const number = fc.oneof(
  fc.constantFrom(
    0,
    1,
    -1,
    0.1,
    1e-3,
    1e-5,
    1.5e-7,
    1e14,
    1e15,
    123456789012345680,
    1e21,
    0.1 + 0.2,
    5e-324,
    1.7976931348623157e308,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
);
const moment = fc
  .tuple(
    fc.date({ min: new Date(-6e13), max: new Date(2e14), noInvalidDate: true }),
    fc.integer({ min: 0, max: 999 }),
    fc.boolean(),
  )
  .map(([date, micros, isFine]) =>
    isFine ? date.toISOString().replace("Z", `${String(micros).padStart(3, "0")}Z`) : date.toISOString(),
  );
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const data = fc.record({
  authors: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      name: text,
      born: fc.constantFrom("1950-05-05", null),
      active: fc.boolean(),
      rank: maybe(fc.integer({ min: -5, max: 5 })),
    }),
    { selector: ({ id }) => id, minLength: 1 },
  ),
  books: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e", "F", "é"),
      title: text,
      owner: maybe(fc.nat()),
      genre: fc.constantFrom("novel", "poem"),
      at: maybe(moment),
      pages: maybe(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n })),
      price: maybe(number),
      reviews: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
      tags: fc.subarray(["x", "y"]),
    }),
    { selector: ({ id }) => id, minLength: 1 },
  ),
});
type Data = typeof data extends fc.Arbitrary<infer T> ? T : never;

const QUERIES = [
  "{ authors(sort: [NAME_ASC]) { nodes { id n: name books(first: 2) { nodes { id title author { id name } } } } } }",
  "{ authors(first: 2) { pageInfo { hasNextPage endCursor } nodes { __typename name active rank born profile { id author { name } } } } }",
  "{ books(sort: [PRICE_DESC]) { nodes { id price at pages genre author { name rank } } } }",
  "{ books(filter: { genre: { eq: novel } }, sort: [AT_ASC, TITLE_DESC]) { nodes { title tags(sort: [NAME_DESC]) { nodes { slug books(first: 2, offset: 1) { nodes { id } } } } } } }",
  "{ reviews { nodes { stars book { title reviews(filter: { stars: { gte: 3 } }, sort: [STARS_DESC]) { nodes { stars book { id } } } } } } }",
  "{ books { nodes { id extra author { name } } } }",
];
const PATHS = [
  "/authors?include=books.tags,profile&sort=-name",
  "/books?fields=id,title,author.name,reviews.stars&rel[reviews][page][size]=1&rel[reviews][sort]=-stars",
  "/books?include=author.books&page[size]=2&sort=price",
  "/tags?include=books.author",
];

function createApi(store: Store) {
  return defineApi({ resources, store, secret: "the same for all" });
}
type Api = ReturnType<typeof createApi>;

async function fill(api: Api, { authors, books }: Data): Promise<void> {
  await api.transaction(async (local) => {
    let count = 0;
    for (const slug of ["x", "y"]) await local.tag.create({ slug, name: slug });
    for (const one of authors) await local.author.create(one);
    const [first] = authors;
    if (first !== undefined) {
      await local.profile.create({ id: "0b0c8a1e-8f1f-4f43-9a53-000000000001", authorId: first.id, text: "t" });
    }
    for (const { owner, reviews, tags, ...one } of books) {
      const authorId = owner === null ? null : (authors[owner % authors.length]?.id ?? null);
      await local.book.create({ ...one, authorId, extra: { a: 1 } });
      for (const stars of reviews) await local.review.create({ id: ++count, bookId: one.id, stars });
      for (const slug of tags) await local.book.link(one.id, "tags", slug);
    }
  });
}

async function answers(api: Api): Promise<readonly string[]> {
  const found: string[] = [];
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const headers = { host: "test", accept: "application/json" };
    const response = await api.handle(request(method, path, { headers, body }));
    found.push(`${path} ${response?.status} ${JSON.stringify(response?.headers["Link"])} ${response?.body as string}`);
  };
  for (const query of QUERIES) await ask("POST", "/graphql", { query });
  for (const path of PATHS) await ask("GET", path);
  return found;
}

describe.each(servers.filter(({ missing }) => missing === undefined))("$name", ({ create }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  afterAll(() => database.drop());

  test("both plans return the same bytes as memory", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(data, async (rows) => {
        await database.empty();
        const open = (plan: ReadPlan) => {
          const store = sqlStore({ url: database.url, autoCreate: true, plan });
          const listTexts = store.listTexts?.bind(store);
          store.listTexts = async (query, context) => {
            const page = await listTexts?.(query, context);
            if (page !== undefined) made++;
            return page;
          };
          return createApi(store);
        };
        const [memory, flat, one] = [createApi(memoryStore()), open("flat"), open("one")];
        try {
          await fill(memory, rows);
          await fill(flat, rows);
          const expected = await answers(memory);
          expect(await answers(flat)).toEqual(expected);
          expect(await answers(one)).toEqual(expected);
        } finally {
          await flat.close();
          await one.close();
        }
      }),
      { numRuns: Number(process.env["PLAN_RUNS"] ?? 12), seed: drawSeed("PLAN_SEED") },
    );
    const makes = database.url.startsWith("mysql") ? 0 : 12;
    expect(made).toBeGreaterThanOrEqual(makes);
  }, 120_000);
});
