import { expect, test } from "vitest";
import { z } from "zod";
import { allow, BifocalError, defineApi, defineResource, hasMany, memoryStore } from "../../../src/index.ts";
import { ask } from "../../request.ts";
import { shop, type ShopExtension } from "./shop.ts";

const ann = { id: "ann" };
const access = { read: allow, create: allow, update: allow, delete: allow };

test("a host's field on a derived type gets the fields in `needs`, even if the query doesn't select them", async () => {
  const extend: ShopExtension["extend"] = {
    typeDefs: 'extend type Book { slug(dash: String! = "-"): String! year: Int! }',
    fields: {
      book: {
        slug: { needs: ["title"], resolve: (book, { dash }: { dash: string }) => book.title?.replace(" ", dash) },
        year: { needs: ["soldAt"], resolve: ({ soldAt }) => soldAt?.getUTCFullYear() },
      },
    },
  };
  const { api, calls } = shop({ extend });
  const answer = await ask(
    api,
    '{ books(first: 2) { nodes { slug } } authors(first: 1) { nodes { name books { nodes { id slug(dash: "_") year } } } } }',
  );
  expect(answer).toEqual({
    data: {
      books: { nodes: [{ slug: "Book-1" }, { slug: "Book-2" }] },
      authors: { nodes: [{ name: "Author 1", books: { nodes: [{ id: "3", slug: "Book_3", year: 2026 }] } }] },
    },
  });
  expect([...calls].sort()).toEqual(["author.list", "book.list", "book.listPer(1)"]);
});

test.each([
  ["nobody", null, [undefined, ["id"]]],
  ["somebody", ann, ["a1@example.com", ["email", "id"]]],
])("gives the host's resolver only the fields that %s can read", async (_, principal, [email, members]) => {
  const seen: unknown[] = [];
  const extend: ShopExtension["extend"] = {
    typeDefs: "extend type Author { mail: String }",
    fields: {
      author: {
        mail: {
          needs: ["email"],
          resolve(row) {
            seen.push(Object.keys(row).sort());
            return row.email;
          },
        },
      },
    },
  };
  const { api } = shop({ extend }, principal);
  // Other selected fields don't change what the resolver receives.
  const { data, errors } = await ask(api, "{ author(id: 1) { name mail } }");
  expect(errors).toBeUndefined();
  expect(data).toEqual({ author: { name: "Author 1", mail: email ?? null } });
  expect(seen).toEqual([members]);
});

test("always gives the resolver the key, even of several fields", async () => {
  const extend: ShopExtension["extend"] = {
    typeDefs: "extend type Place { label: String! }",
    fields: { place: { label: ({ hall, seat, note }) => `${hall}${seat}${note ?? ""}` } },
  };
  const { api } = shop({ extend });
  expect(await ask(api, "{ places { nodes { label } } }")).toEqual({
    data: { places: { nodes: [{ label: "A1" }, { label: "A2" }] } },
  });
});

test("runs a host's root fields, types and mutations beside derived ones", async () => {
  const extend: ShopExtension["extend"] = {
    typeDefs: `
      type Stats { books: Int! author(id: Int!): Author }
      input Rename { id: Int! name: String! }
      enum Mood { GOOD BAD }
      extend type Query { stats: Stats! mood(of: Mood!): Mood! }
      extend type Mutation { rename(input: Rename!): Author }
    `,
    resolvers: {
      Query: {
        async stats(_source, _args, { local, signal }) {
          expect(signal).toBeInstanceOf(AbortSignal);
          return { books: (await local.book.list({ count: true })).total };
        },
        mood: (_source, { of }) => of,
      },
      Stats: { author: (_stats, { id }: { id: number }) => id },
      Mutation: {
        async rename(_source, { input: { id, name } }: { input: { id: number; name: string } }, { local, principal }) {
          return local.author.update(id, { name: `${name} by ${principal?.id}` });
        },
      },
    },
  };
  const { api, calls } = shop({ extend }, ann);
  const query = "{ stats { books author(id: 2) { name books { totalCount } } } mood(of: GOOD) authors { totalCount } }";
  expect(await ask(api, query)).toEqual({
    data: {
      stats: { books: 6, author: { name: "Author 2", books: { totalCount: 3 } } },
      mood: "GOOD",
      authors: { totalCount: 3 },
    },
  });
  expect(calls).toContain("book.listPer(1)");
  const rename = 'mutation { rename(input: { id: 2, name: "Jane" }) { id name email } }';
  expect(await ask(api, rename)).toEqual({
    data: { rename: { id: "2", name: "Jane by ann", email: "a2@example.com" } },
  });
});

const RELATED: ShopExtension["extend"] = {
  typeDefs:
    "extend type Author { bestOf(count: Int!): [Book!]! last: Book } extend type Query { best: [Book]! one(id: Int!): Book }",
  resolvers: {
    Query: { best: () => [1, 100, 99, null], one: async (_source, { id }) => Promise.resolve({ id }) },
  },
  fields: {
    author: {
      bestOf: ({ id }, { count }: { count: number }) => [Number(id), 100, 5].slice(0, count),
      last: async ({ id }) => Promise.resolve(Number(id) + 1),
    },
  },
};

test("reads rows by the ids that a host returns, with the caller's rights and one call per field", async () => {
  const { api, calls } = shop({ extend: RELATED });
  const query = "{ authors { nodes { bestOf(count: 3) { title author { name } } last { id } } } best { id } }";
  const books = (...ids: number[]) =>
    ids.map((id) => ({ title: `Book ${id}`, author: { name: `Author ${(id % 3) + 1}` } }));
  expect(await ask(api, query)).toEqual({
    data: {
      authors: {
        nodes: [
          { bestOf: books(1, 5), last: { id: "2" } },
          { bestOf: books(2, 5), last: { id: "3" } },
          { bestOf: books(3, 5), last: { id: "4" } },
        ],
      },
      best: [{ id: "1" }, null, null, null],
    },
  });
  expect([...calls].sort()).toEqual(["author.byKeys(3)", "author.list", "book.list", "book.list", "book.list"]);
});

test("returns the full selection of a fragment's field that is used with other selections elsewhere", async () => {
  const { api } = shop({ extend: RELATED });
  const more = "last { title }";
  const ask2 = (one: string, two: string) =>
    ask(
      api,
      `{ a: author(id: 1) { ...F ${one} } b: author(id: 1) { ...F ${two} } } fragment F on Author { last { id } }`,
    );
  const [short, long] = [{ last: { id: "2" } }, { last: { id: "2", title: "Book 2" } }];
  expect(await ask2("", more)).toEqual({ data: { a: short, b: long } });
  expect(await ask2(more, "")).toEqual({ data: { a: long, b: short } });
});

test("resolves a field in a fragment on a host's interface for each type", async () => {
  const item = defineResource("item", { fields: { id: z.int32(), ownerId: z.int32() }, page: { size: 3 }, access });
  const disc = defineResource("disc", { fields: { id: z.int32(), ownerId: z.int32() }, page: { size: 2 }, access });
  const one = defineResource("one", {
    fields: { id: z.int32() },
    relations: { items: hasMany("item", "ownerId") },
    access,
  });
  const two = defineResource("two", {
    fields: { id: z.int32() },
    relations: { items: hasMany("disc", "ownerId") },
    access,
  });
  const rows = [1, 2, 3].map((id) => ({ id, ownerId: 1 }));
  const store = memoryStore({ data: { one: [{ id: 1 }], two: [{ id: 1 }], item: rows, disc: rows } });
  const typeDefs = `interface Has { items(first: Int): Any! } interface Any { pageInfo: PageInfo! }
    extend type One implements Has extend type Two implements Has
    extend type ItemConnection implements Any extend type DiscConnection implements Any`;
  const api = defineApi({ resources: [item, disc, one, two], store, graphql: { extend: { typeDefs } } });
  const query = (first: string) => `{ one(id: 1) { ...F } two(id: 1) { ...F all: items { pageInfo { hasNextPage } } } }
    fragment F on Has { items(first: ${first}) { pageInfo { hasNextPage } } }`;
  const page = (hasNextPage: boolean) => ({ pageInfo: { hasNextPage } });
  const data = { one: { items: page(false) }, two: { items: page(false), all: page(true) } };
  expect(await ask(api, query("3"))).toEqual({ data });
  expect(await ask(api, `query ($first: Int) ${query("$first")}`, { body: { first: 3 } })).toEqual({ data });
});

test.each([
  ["a hidden row", 100],
  ["a missing row", 999],
])("returns null for %s", async (_, id) => {
  const { api } = shop({ extend: RELATED });
  expect(await ask(api, `{ one(id: ${id}) { id } }`)).toEqual({ data: { one: null } });
});

test("types of several kinds", async () => {
  const extend: ShopExtension["extend"] = {
    typeDefs: `
      interface Named { label: String! }
      type Shelf implements Named { label: String! }
      extend type Book implements Named { label: String! }
      union Found = Author | Book | Shelf
      extend type Query { search: [Found!]! named: Named }
    `,
    resolvers: {
      Query: {
        search: () => [
          { __typename: "Book", id: 1 },
          { __typename: "Author", id: 2 },
          { __typename: "Shelf", label: "S" },
          { __typename: "Book", id: 100 },
        ],
        named: () => ({ __typename: "Book", id: 2 }),
      },
    },
    fields: { book: { label: { needs: ["title"], resolve: ({ title }) => title } } },
  };
  const { api, calls } = shop({ extend });
  const query = `{
    search { __typename ... on Book { title author { name } } ... on Author { name } ... on Named { label } }
    named { label ... on Book { id } }
  }`;
  expect(await ask(api, query)).toEqual({
    data: {
      search: [
        { __typename: "Book", title: "Book 1", author: { name: "Author 2" }, label: "Book 1" },
        { __typename: "Author", name: "Author 2" },
        { __typename: "Shelf", label: "S" },
      ],
      named: { label: "Book 2", id: "2" },
    },
  });
  expect([...calls].sort()).toEqual(["author.byKeys(1)", "author.list", "book.list", "book.list"]);
});

test.each([
  [
    "an unexpected error is masked and logged",
    new Error("secret"),
    "Something went wrong on the server. If you contact support, include the request id.",
    "INTERNAL",
  ],
  ["Bifocal's own errors are returned", new BifocalError("CONFLICT", "Taken."), "Taken.", "CONFLICT"],
])("%s", async (_, thrown, message, code) => {
  const extend: ShopExtension["extend"] = {
    typeDefs: "extend type Query { fail: Int }",
    resolvers: {
      Query: {
        fail() {
          throw thrown;
        },
      },
    },
  };
  const { api, entries } = shop({ extend });
  const { data, errors } = await ask(api, "{ fail authors { totalCount } }");
  expect(data).toEqual({ fail: null, authors: { totalCount: 3 } });
  expect(errors).toMatchObject([{ message, path: ["fail"], extensions: { code } }]);
  expect(JSON.stringify(errors)).not.toContain("secret");
  expect(entries.map(({ level }) => level)).toEqual(code === "INTERNAL" ? ["error"] : []);
});
