import { buildSchema, printType } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource } from "../../src/index.ts";
import { ask, send } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const paper = z
  .object({ kind: z.literal("paper"), pages: z.int32(), cover: z.enum(["soft", "hard"]).optional() })
  .meta({ id: "PaperFormat" });
const ebook = z
  .object({ kind: z.literal("ebook"), megabytes: z.number(), formats: z.array(z.string()) })
  .meta({ id: "EbookFormat" });
const format = z.discriminatedUnion("kind", [paper, ebook]).meta({ id: "BookFormat" });
const bare = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("a"), x: z.int32() }),
  z.object({ kind: z.literal("b"), y: z.int32() }),
]);
const tagOnly = z.discriminatedUnion("kind", [paper, z.object({ kind: z.literal("none") }).meta({ id: "NoFormat" })]);

const book = defineResource("book", {
  fields: {
    id: z.int32(),
    format,
    others: z.array(format).nullable(),
    print: z.object({ format, copies: z.int32() }).nullable(),
  },
  access,
  actions: {
    convert: {
      on: "item",
      input: z.object({ to: format }),
      output: format,
      access: allow,
      run: ({ input }) => input.to,
    },
  },
});
const other = defineResource("other", {
  fields: {
    id: z.int32(),
    unnamed: z.discriminatedUnion("kind", [paper.meta({ id: "Bound" }), ebook.meta({ id: "Digital" })]).nullable(),
    bare,
    tagOnly,
    plain: z.union([z.string(), z.int32()]),
  },
  access,
});

const start = () => defineApi({ resources: [book, other] });
const { schema, sdl } = start().graphql;
const print = (name: string): string => printType(schema.getType(name) as never);

const PAPER = { kind: "paper", pages: 300, cover: "hard" };
const EBOOK = { kind: "ebook", megabytes: 1.5, formats: ["epub"] };
const FIELDS = "__typename ... on PaperFormat { kind pages cover } ... on EbookFormat { kind megabytes formats }";

test("a discriminated union of named objects becomes a union and a one-of input", () => {
  expect(print("BookFormat")).toBe("union BookFormat = PaperFormat | EbookFormat");
  expect(print("PaperFormat")).toMatch(
    /^type PaperFormat \{\n {2}kind: BookFormatKind!\n {2}pages: Int!\n {2}cover: \w+\n\}$/,
  );
  expect(print("BookFormatInput")).toBe(
    '"""Set exactly one of these."""\ninput BookFormatInput @oneOf {\n  paperFormat: PaperFormatInput\n  ebookFormat: EbookFormatInput\n}',
  );
  expect(print("PaperFormatInput")).toMatch(/^input PaperFormatInput \{\n {2}pages: Int!\n {2}cover: \w+\n\}$/);
  expect(print("CreateBookInput")).toContain("format: BookFormatInput!\n  others: [BookFormatInput!]\n");
  expect(() => buildSchema(sdl())).not.toThrow();
  expect(sdl()).toContain("input BookFormatInput @oneOf {");
});

test("leaves other unions unchanged", () => {
  expect(print("OtherUnnamed")).toBe("union OtherUnnamed = Bound | Digital");
  expect(print("Bound")).toContain("kind: String!");
  expect(print("Other")).toContain("unnamed: OtherUnnamed\n  bare: JSON!\n  tagOnly: JSON!\n  plain: JSON!");
});

describe("rows written in one style can be read in the other", () => {
  const rest = { id: 1, format: PAPER, others: [EBOOK, PAPER], print: { format: EBOOK, copies: 2 } };
  const query = `{ book(id: 1) { format { ${FIELDS} } others { ${FIELDS} } print { copies format { ${FIELDS} } } } }`;
  const paperNode = { __typename: "PaperFormat", ...PAPER };
  const ebookNode = { __typename: "EbookFormat", ...EBOOK };
  const graphqlInput = {
    id: 1,
    format: { paperFormat: { pages: 300, cover: "hard" } },
    others: [{ ebookFormat: { megabytes: 1.5, formats: ["epub"] } }, { paperFormat: { pages: 300, cover: "hard" } }],
    print: { format: { ebookFormat: { megabytes: 1.5, formats: ["epub"] } }, copies: 2 },
  };

  test("REST writes", async () => {
    const api = start();
    expect(await send(api, "POST", "/books", { body: rest })).toMatchObject({ status: 201, body: rest });
    expect(await ask(api, query)).toEqual({
      data: { book: { format: paperNode, others: [ebookNode, paperNode], print: { copies: 2, format: ebookNode } } },
    });
  });

  test("GraphQL writes", async () => {
    const api = start();
    const create = `mutation ($input: CreateBookInput!) { createBook(input: $input) { format { ${FIELDS} } } }`;
    expect(await ask(api, create, { body: { input: graphqlInput } })).toEqual({
      data: { createBook: { format: paperNode } },
    });
    expect(await send(api, "GET", "/books/1")).toMatchObject({ body: rest });
    const update =
      "mutation { updateBook(id: 1, input: { format: { ebookFormat: { megabytes: 2, formats: [] } }, others: null }) { id } }";
    expect((await ask(api, update)).errors).toBeUndefined();
    expect(await send(api, "GET", "/books/1")).toMatchObject({
      body: { format: { kind: "ebook", megabytes: 2, formats: [] }, others: null },
    });
    const convert = `mutation { convertBook(id: 1, input: { to: { paperFormat: { pages: 1 } } }) { ${FIELDS} } }`;
    expect(await ask(api, convert)).toEqual({
      data: { convertBook: { __typename: "PaperFormat", kind: "paper", pages: 1, cover: null } },
    });
  });
});

test.each([
  ["none", "{}"],
  ["two", "{ paperFormat: { pages: 1 }, ebookFormat: { megabytes: 1, formats: [] } }"],
  ["null", "{ paperFormat: null }"],
])("rejects %s of them", async (_, literal) => {
  const { errors } = await ask(
    start(),
    `mutation { createBook(input: { id: 1, format: ${literal}, others: null, print: null }) { id } }`,
  );
  expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST" });
  expect(errors?.[0]?.message).toContain("BookFormatInput");
});
