import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { DefinitionError } from "../../../src/index.ts";
import { shop } from "./shop.ts";

const resolve = () => null;

test.each<[name: string, extend: object, message: RegExp]>([
  [
    "SDL that cannot be parsed",
    { typeDefs: "extend type {" },
    /graphql\.extend\.typeDefs: Syntax Error.*\(line 1, column 13\)/,
  ],
  ["an existing type", { typeDefs: "type Book { a: Int }" }, /Type "Book" already exists.*\n.*`extend type`/],
  [
    "an existing field",
    { typeDefs: "extend type Book { title: Int }" },
    /Field "Book\.title" already exists.*\n.*A generated field/,
  ],
  ["an unknown type", { typeDefs: "extend type Query { a: Bok }" }, /Unknown type "Bok"/],
  ["an extension of an unknown type", { typeDefs: "extend type Boook { a: Int }" }, /Cannot extend type "Boook"/],
  ["an unknown directive", { typeDefs: "extend type Book { a: Int @b }" }, /Unknown directive "@b"/],
  [
    "a root field without a resolver",
    { typeDefs: "extend type Query { a: Int }" },
    /Query\.a: The field has no resolver\.\n.*resolvers\.Query\.a/,
  ],
  [
    "a field of a derived type without a resolver",
    { typeDefs: "extend type Book { a: Int }" },
    /Book\.a: The field has no resolver\.\n.*fields\.book\.a/,
  ],
  ["a resolver without a type", { resolvers: { Sttats: { a: resolve } } }, /resolvers\.Sttats: Unknown type/],
  [
    "a resolver without a field",
    { resolvers: { Query: { authrs: resolve } } },
    /'typeDefs' doesn't add a field 'authrs' to 'Query'\.\n.*'authors'/,
  ],
  [
    "a resolver of a derived field",
    { resolvers: { Query: { authors: resolve } } },
    /'Query\.authors' is a generated field/,
  ],
  ["a derived type among resolvers", { resolvers: { Book: { a: resolve } } }, /graphql\.extend\.fields\.book/],
  [
    "a resolver for the type of a union",
    {
      typeDefs: "type Shelf { a: Int } union Hit = Book | Shelf extend type Query { hit: Hit }",
      resolvers: { Query: { hit: resolve }, Hit: { __resolveType: () => "Book" } },
    },
    /resolvers\.Hit\.__resolveType: This resolver is never called\.\n.*`__typename`/,
  ],
  [
    "a resolver of an interface's field",
    {
      typeDefs: "interface Named { label: Int } type Shelf implements Named { label: Int }",
      resolvers: { Named: { label: resolve } },
    },
    /resolvers\.Named\.label: This resolver is never called\.\n.*to each object type/,
  ],
  [
    "a subscription without events",
    { typeDefs: "extend type Subscription { x: Int }", resolvers: { Subscription: { x: () => 1 } } },
    /Subscription\.x: The subscription has no 'subscribe'.*\n.*async \*subscribe/,
  ],
  ["fields of an unknown resource", { fields: { bok: { a: resolve } } }, /Unknown resource/],
  [
    "an unknown field in `needs`",
    {
      typeDefs: "extend type Book { a: Int }",
      fields: { book: { a: { needs: ["titl"], resolve } } },
    },
    /The resolver needs 'titl', which is not a field of 'book'\.\n.*Did you mean 'title'\?/,
  ],
  [
    "an internal field in `needs`",
    {
      typeDefs: "extend type Book { a: Int }",
      fields: { book: { a: { needs: ["cost"], resolve } } },
    },
    /needs 'cost', which is not a field of 'book'/,
  ],
  [
    "a connection that the host would have to resolve",
    { typeDefs: "extend type Query { a: BookConnection }", resolvers: { Query: { a: resolve } } },
    /Only generated lists can have the type 'BookConnection'\.\n.*\[Book!\]!/,
  ],
  [
    "an interface that is not implemented",
    { typeDefs: "interface Named { name: String } extend type Book implements Named" },
    /Interface field Named\.name expected but Book does not provide it/,
  ],
  [
    "a schema with a type of Bifocal's",
    { schema: buildSchema("type Query { a: BookEdge } type BookEdge { a: Int }") },
    /has a type 'BookEdge', which already exists/,
  ],
  [
    "a schema with a root field of Bifocal's",
    { schema: buildSchema("type Query { authors: Int }") },
    /'Query\.authors' already exists/,
  ],
  [
    "a schema with a different definition of a resource",
    { schema: buildSchema("type Query { a: Book } type Book { title: Int }") },
    /'Book\.title' already exists with the type String!/,
  ],
])("rejects %s with an explanation", (_, extend, message) => {
  expect(() => shop({ extend: extend as never })).toThrow(DefinitionError);
  expect(() => shop({ extend: extend as never })).toThrow(message);
});

test("reports every mistake at once, with its module", () => {
  const extend: readonly object[] = [
    {},
    { typeDefs: "extend type Query { a: Int b: Int }", resolvers: { Query: { c: resolve } } },
  ];
  expect(() => shop({ extend: extend as never })).toThrow(/^3 mistakes in the definition\n {2}graphql\.extend\[1\]/);
});
