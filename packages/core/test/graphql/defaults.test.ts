import { graphql, printType } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore, signedIn } from "../../src/index.ts";
import { printOperation } from "../../src/operation/print-operation.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const book = defineResource("book", {
  description: "What is read.",
  fields: {
    id: z.int32(),
    title: z.string().default("Untitled").describe("As on the cover."),
    pages: z.int32().default(0),
    genre: z.enum(["novel", "poem"]).default("novel"),
    words: z.array(z.string()).default(["a"]),
    size: z
      .object({
        width: z.number().default(1),
        unit: z.string().default("cm").meta({ description: "In SI.", deprecated: true }),
      })
      .default({ width: 2, unit: "m" }),
    note: z.string().nullable().default(null),
    extra: z.json().default({ any: 1 }),
    soldAt: z.date().default(new Date(0)),
    loud: z.string().toUpperCase().default("quiet"),
    price: z.number().default(9.5),
    made: z.iso.datetime().default(() => new Date().toISOString()),
    old: z
      .string()
      .nullable()
      .meta({ description: "Before.", deprecated: true, deprecation: { reason: "Ask for 'title'." } }),
  },
  access: { ...access, fields: { price: { write: signedIn } } },
  actions: {
    order: {
      on: "item",
      input: z.object({ count: z.int32().default(1), wrap: z.boolean().optional() }),
      output: z.int32(),
      access: allow,
      run: ({ input }) => input.count,
    },
  },
});

const start = () => defineApi({ resources: [book], store: memoryStore() });
const { schema } = start().graphql;

/** graphql 16 writes objects without the spaces of 17. */
const print = (name: string): string => printType(schema.getType(name) as never).replace(/= \{ ?(.*?) ?\}/, "= { $1 }");

test("includes the descriptions, deprecations and defaults of zod", () => {
  expect(print("CreateBookInput")).toBe(`"""A new row. Omitted fields get their defaults."""
input CreateBookInput {
  id: ID!

  """As on the cover."""
  title: String = "Untitled"
  pages: Int = 0
  genre: BookGenre = novel
  words: [String!] = ["a"]
  size: BookSizeInput = { width: 2, unit: "m" }
  note: String = null

  """Default: {"any":1}."""
  extra: JSON
  soldAt: DateTime

  """Default: "quiet"."""
  loud: String

  """Default: 9.5."""
  price: Float
  made: DateTime

  """Before."""
  old: String @deprecated(reason: "Ask for 'title'.")
}`);
  expect(print("BookSizeInput")).toBe(`input BookSizeInput {
  width: Float = 1

  """In SI."""
  unit: String = "cm" @deprecated
}`);
  expect(printType(schema.getType("OrderBookInput") as never)).toContain("count: Int = 1\n  wrap: Boolean");
  expect(printType(schema.getType("UpdateBookInput") as never)).not.toMatch(/ = /);
  const type = printType(schema.getType("Book") as never);
  expect(type).toContain('"""What is read."""\ntype Book {');
  expect(type).toContain('"""As on the cover."""\n  title: String!');
  expect(type).toContain('"""Before."""\n  old: String @deprecated(reason: "Ask for \'title\'.")');
});

test("can be introspected, including defaults", async () => {
  const source = '{ __type(name: "CreateBookInput") { inputFields { name defaultValue } } }';
  const { data } = await graphql({ schema, source });
  const { inputFields } = (data as { __type: { inputFields: { name: string; defaultValue: string | null }[] } }).__type;
  expect(Object.fromEntries(inputFields.map((one) => [one.name, one.defaultValue]))).toMatchObject({
    title: '"Untitled"',
    genre: "novel",
    size: expect.stringMatching(/^\{ ?width: 2, unit: "m" ?\}$/),
    note: "null",
    extra: null,
  });
});

describe("a default is the value of an absent field, in both styles", () => {
  const query =
    "mutation ($input: CreateBookInput!) { createBook(input: $input) { title pages genre words size { width unit } note extra loud price } }";
  const found = {
    title: "Untitled",
    pages: 0,
    genre: "novel",
    words: ["a"],
    size: { width: 2, unit: "m" },
    note: null,
    extra: { any: 1 },
    loud: "quiet",
    price: 9.5,
  };

  test.each([
    ["absent", { id: 1 }, found],
    ["written", { id: 1, title: "Untitled", pages: 0, words: ["a"], genre: "novel" }, found],
    [
      "other",
      { id: 1, title: "Emma", pages: 3, words: [], genre: "poem", size: {}, loud: "quiet" },
      { ...found, title: "Emma", pages: 3, words: [], genre: "poem", size: { width: 1, unit: "cm" }, loud: "QUIET" },
    ],
  ])("%s", async (_, input, expected) => {
    expect(await ask(start(), query, { body: { input } })).toEqual({ data: { createBook: expected } });
    expect(await send(start(), "POST", "/books", { body: input })).toMatchObject({ status: 201, body: expected });
  });

  test("doesn't write a field that the caller cannot write", async () => {
    const { errors } = await ask(start(), query, { body: { input: { id: 1, price: 9.5 } } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "FORBIDDEN" });
  });

  test("lowers to the same operation as a request with the field", async () => {
    const api = start();
    const operations: string[] = [];
    api.observe((operation) => operations.push(printOperation(operation)));
    await ask(api, "mutation { createBook(input: { id: 1 }) { id } }");
    await send(api, "POST", "/books?fields=id", { body: { id: 2 } });
    expect(operations[0]).toContain('{"id": 1}');
    expect(operations[1]?.replace("2", "1")).toBe(operations[0]);
  });

  test("applies to inputs of an action", async () => {
    const api = start();
    await ask(api, "mutation { createBook(input: { id: 1 }) { id } }");
    expect(await ask(api, "mutation { orderBook(id: 1, input: {}) }")).toEqual({ data: { orderBook: 1 } });
    expect(await ask(api, "mutation { orderBook(id: 1, input: { count: 4 }) }")).toEqual({ data: { orderBook: 4 } });
  });
});
