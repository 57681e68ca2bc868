import {
  defaultFieldResolver,
  graphql,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  parse,
  subscribe,
} from "graphql";
import { expect, test } from "vitest";
import type { HostContext } from "../../../src/graphql-extension.ts";
import { ask } from "../../request.ts";
import { shop, type ShopExtension } from "./shop.ts";

const Mood = new GraphQLEnumType({ name: "Mood", values: { GOOD: { value: 1 }, BAD: { value: 2 } } });
const Named = new GraphQLInterfaceType({ name: "Named", fields: { label: { type: GraphQLString } } });
const Book = new GraphQLObjectType({
  name: "Book",
  interfaces: [Named],
  fields: {
    title: { type: new GraphQLNonNull(GraphQLString) },
    label: {
      type: GraphQLString,
      extensions: { bifocal: { needs: ["title"] } },
      resolve: (book: { title: string }) => `«${book.title}»`,
    },
  },
});
const Shelf = new GraphQLObjectType({
  name: "Shelf",
  fields: { books: { type: new GraphQLList(Book) }, mood: { type: Mood }, count: { type: GraphQLInt } },
});
const Found = new GraphQLUnionType({ name: "Found", types: [Shelf, Book] });

/** A schema of another part of the application, with a query type of another name. */
const theirs = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: "RootQuery",
    fields: {
      shelf: {
        type: Shelf,
        args: { mood: { type: Mood, defaultValue: 2 } },
        resolve: (_source, { mood }: { mood: number }, context) => ({
          books: [1, 2],
          mood,
          count: (context as { n?: number }).n,
        }),
      },
      found: { type: new GraphQLList(Found), resolve: () => [{ __typename: "Shelf" }, { __typename: "Book", id: 3 }] },
    },
  }),
});

test("merges a schema of the host with the derived types", async () => {
  const { api, calls } = shop({ extend: { schema: theirs } });
  const query = `{
    shelf(mood: GOOD) { mood books { id label author { name } } }
    other: shelf { mood }
    found { __typename ... on Book { title ... on Named { label } } }
    books(first: 1) { nodes { label } }
  }`;
  expect(await ask(api, query)).toEqual({
    data: {
      shelf: {
        mood: "GOOD",
        books: [
          { id: "1", label: "«Book 1»", author: { name: "Author 2" } },
          { id: "2", label: "«Book 2»", author: { name: "Author 3" } },
        ],
      },
      other: { mood: "BAD" },
      found: [{ __typename: "Shelf" }, { __typename: "Book", title: "Book 3", label: "«Book 3»" }],
      books: { nodes: [{ label: "«Book 1»" }] },
    },
  });
  expect([...calls].sort()).toEqual(["author.byKeys(2)", "book.list", "book.list", "book.list"]);
});

test("gives resolvers the values that the server put into the context", async () => {
  const { api } = shop({ extend: { schema: theirs } });
  const contextValue = { n: 7, ...api.graphql.context(null) };
  expect(
    await graphql({ schema: api.graphql.schema, source: "{ shelf { count books { id } } }", contextValue }),
  ).toEqual({
    data: { shelf: { count: 7, books: [{ id: "1" }, { id: "2" }] } },
  });
});

test("applies extensions of several modules in order", async () => {
  const extend: ShopExtension["extend"] = [
    {
      typeDefs: "type Stats { a: Int! } extend type Query { stats: Stats! }",
      resolvers: { Query: { stats: () => ({ a: 1 }) } },
    },
    {
      typeDefs: "extend type Stats { b: Int! }",
      resolvers: { Stats: { b: (stats) => (stats as { a: number }).a + 1 } },
    },
  ];
  expect(await ask(shop({ extend }).api, "{ stats { a b } }")).toEqual({ data: { stats: { a: 1, b: 2 } } });
});

test("supports a scalar of the host", async () => {
  const Cents = new GraphQLScalarType({
    name: "Cents",
    serialize: (value) => `${String(value)} ct`,
    parseValue: (value) => Number.parseInt(String(value), 10),
    parseLiteral: (node) => ("value" in node ? Number.parseInt(String(node.value), 10) : 0),
    specifiedByURL: "https://example.com/cents",
  });
  const extend: ShopExtension["extend"] = {
    typeDefs: "scalar Cents extend type Query { double(of: Cents!): Cents! }",
    resolvers: { Cents, Query: { double: (_source, { of }: { of: number }) => of * 2 } },
  };
  const { api } = shop({ extend });
  expect(await ask(api, '{ double(of: "4 ct") }')).toEqual({ data: { double: "8 ct" } });
  expect(await ask(api, "query ($of: Cents!) { double(of: $of) }", { body: { of: "5 ct" } })).toEqual({
    data: { double: "10 ct" },
  });
  expect(api.graphql.schema.getType("Cents")).toMatchObject({ specifiedByURL: "https://example.com/cents" });
});

test("supports a directive that wraps resolvers, including derived ones", async () => {
  const extend: ShopExtension["extend"] = {
    typeDefs: "directive @loud on FIELD_DEFINITION extend type Book { cry: String! @loud }",
    fields: { book: { cry: { needs: ["title"], resolve: ({ title }) => title } } },
    transform(schema) {
      for (const type of Object.values(schema.getTypeMap())) {
        // All schemas of the process share the introspection types.
        if (!isObjectType(type) || type.name.startsWith("__")) continue;
        for (const field of Object.values(type.getFields())) {
          const isLoud = field.astNode?.directives?.some(({ name }) => name.value === "loud") ?? false;
          if (!isLoud && field.name !== "name") continue;
          const { resolve = defaultFieldResolver } = field;
          field.resolve = async (...all) => String(await resolve(...all)).toUpperCase();
        }
      }
      return schema;
    },
  };
  const { api, calls } = shop({ extend });
  expect(await ask(api, "{ books(first: 1) { nodes { cry title author { name } } } }")).toEqual({
    data: { books: { nodes: [{ cry: "BOOK 1", title: "Book 1", author: { name: "AUTHOR 2" } }] } },
  });
  expect(calls).toEqual(["book.list", "author.byKeys(1)"]);
});

test("supports a subscription of the host whose payload is a row", async () => {
  const ended: string[] = [];
  const extend: ShopExtension["extend"] = {
    typeDefs: "extend type Subscription { picked(from: Int!): Book ticks: Int! }",
    resolvers: {
      Subscription: {
        picked: {
          async *subscribe(_source, { from }: { from: number }, { principal }) {
            try {
              for (let id = from; ; id++) yield { picked: principal === null ? 100 : id };
            } finally {
              ended.push("picked");
            }
          },
        },
        ticks: {
          async *subscribe() {
            yield 1;
            yield 2;
          },
          resolve: (tick) => Number(tick) * 10,
        },
      },
    },
  };
  const { api } = shop({ extend });
  const { schema, context } = api.graphql;
  const open = async (document: string, principal: HostContext["principal"]) =>
    (await subscribe({
      schema,
      document: parse(document),
      contextValue: context(principal),
    })) as AsyncGenerator<unknown>;

  const seen: unknown[] = [];
  for await (const event of await open("subscription { ticks }", null)) seen.push(event);
  expect(seen).toEqual([{ data: { ticks: 10 } }, { data: { ticks: 20 } }]);

  const picked = await open("subscription { picked(from: 2) { title author { name } } }", { id: "ann" });
  expect((await picked.next()).value).toEqual({ data: { picked: { title: "Book 2", author: { name: "Author 3" } } } });
  expect((await picked.next()).value).toEqual({ data: { picked: { title: "Book 3", author: { name: "Author 1" } } } });
  await picked.return(undefined);
  expect(ended).toEqual(["picked"]);
  const hidden = await open("subscription { picked(from: 2) { title } }", null);
  expect((await hidden.next()).value).toEqual({ data: { picked: null } });
});
