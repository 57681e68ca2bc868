import { buildSchema, printSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  allow,
  anyOf,
  apiKeys,
  belongsTo,
  defineApi,
  defineResource,
  hasMany,
  hasRole,
  hasScope,
  memoryStore,
  type Rule,
  signedIn,
} from "../../src/index.ts";
import { ask } from "../request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };

interface Options {
  readonly readAuthor?: Rule;
  readonly readBook?: Rule;
  readonly readBooks?: Rule;
  readonly nonNullConnections?: boolean;
  readonly incremental?: boolean;
  readonly extend?: object;
}

function library({ readAuthor = allow, readBook = allow, readBooks, extend, ...graphql }: Options = {}) {
  const author = defineResource("author", {
    fields: { id: z.int32(), name: z.string(), email: z.email(), bio: z.string().nullable() },
    relations: { books: hasMany("book", "authorId") },
    access: {
      ...access,
      read: readAuthor,
      fields: { email: { read: signedIn }, bio: { read: signedIn } },
      relations: readBooks === undefined ? {} : { books: { read: readBooks } },
    },
  });
  const book = defineResource("book", {
    fields: { id: z.int32(), title: z.string(), authorId: z.int32(), editorId: z.int32().nullable() },
    relations: { author: belongsTo("author", "authorId"), editor: belongsTo("author", "editorId") },
    access: { ...access, read: readBook },
  });
  const data = {
    author: [
      { id: 1, name: "Ann", email: "ann@example.com", bio: null },
      { id: 2, name: "Ben", email: "ben@example.com", bio: null },
    ],
    book: [1, 2].map((id) => ({ id, title: `Book ${id}`, authorId: id, editorId: null })),
  };
  return defineApi({
    resources: [author, book],
    store: memoryStore({ data }),
    auth: apiKeys({ key: { id: "ann" } }),
    graphql: { ...graphql, ...(extend === undefined ? {} : { extend }) },
  });
}

/** Returns the lines of the SDL that declare a field of one of these names, without its arguments. */
function fieldsOf(sdl: string, ...names: readonly string[]): readonly string[] {
  const lines = sdl
    .replaceAll(/"""[^]*?"""/g, "")
    .replaceAll(/\([^()]*\)/g, "")
    .split("\n");
  return lines.map((line) => line.trim()).filter((line) => names.includes(line.split(":")[0] ?? ""));
}

describe("@semanticNonNull", () => {
  test("marks fields that only a rule makes nullable", () => {
    const sdl = library().graphql.sdl();
    expect(fieldsOf(sdl, "email", "bio").slice(0, 2)).toEqual(["bio: String", "email: EmailAddress @semanticNonNull"]);
    expect(sdl).toContain("directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION");
  });

  test.each<[string, Rule, string]>([
    ["everyone can read them", allow, "author: Author!"],
    [
      "the rule depends on the caller alone",
      anyOf(hasRole("admin"), hasScope("authors")),
      "author: Author @semanticNonNull",
    ],
    ["the rule is a filter", () => ({ id: { eq: 1 } }), "author: Author"],
    ["the rule may be a filter", anyOf(signedIn, () => true), "author: Author"],
  ])("marks a relation to one row if its rows can't be hidden one by one: %s", (_what, readAuthor, expected) => {
    const sdl = library({ readAuthor }).graphql.sdl();
    const inBook = sdl.slice(sdl.indexOf("type Book "));
    expect(fieldsOf(inBook, "author", "editor").slice(0, 2)).toEqual([expected, "editor: Author"]);
  });

  test("marks relations to many rows, which are denied as a whole", () => {
    expect(fieldsOf(library().graphql.sdl(), "books")).toContain("books: BookConnection!");
    const filtered = library({ readBook: () => ({ id: { eq: 1 } }) }).graphql.sdl();
    expect(fieldsOf(filtered, "books")).toContain("books: BookConnection @semanticNonNull");
    const ruled = library({ readBooks: signedIn }).graphql.sdl();
    expect(fieldsOf(ruled, "books")).toContain("books: BookConnection @semanticNonNull");
  });

  test("returns null without an error for one hidden row, as for a missing one", async () => {
    const api = library({ readAuthor: () => ({ id: { eq: 1 } }) });
    const { data, errors } = await ask(api, "{ books { nodes { author { name } } } }");
    expect({ data, errors }).toEqual({
      data: { books: { nodes: [{ author: { name: "Ann" } }, { author: null }] } },
      errors: undefined,
    });
  });

  test("returns an error for one row if no caller without the role can read any", async () => {
    const { data, errors } = await ask(
      library({ readAuthor: hasRole("admin") }),
      "{ book(id: 1) { title author { name } } }",
    );
    expect(data).toEqual({ book: { title: "Book 1", author: null } });
    expect(errors).toMatchObject([{ path: ["book", "author"], extensions: { code: "FORBIDDEN" } }]);
  });

  test("is part of introspection, and of the schema for other servers", async () => {
    const api = library();
    const { data } = await ask(api, "{ __schema { directives { name locations } } }");
    expect(JSON.stringify(data)).toContain('{"name":"semanticNonNull","locations":["FIELD_DEFINITION"]}');
    const email = (
      api.graphql.schema.getType("Author") as { getFields(): Record<string, { extensions: object }> }
    ).getFields()["email"];
    expect(email?.extensions).toEqual({ directives: { semanticNonNull: {} } });
  });

  test("is absent from a schema without such fields", () => {
    const note = defineResource("note", { fields: { id: z.int32(), text: z.string() }, access });
    expect(defineApi({ resources: [note] }).graphql.sdl()).not.toContain("semanticNonNull");
  });

  test("adds nothing but the directive to what graphql-js prints", () => {
    const sdl = library({ readBook: signedIn }).graphql.sdl();
    const plain = sdl.replaceAll(" @semanticNonNull\n", "\n");
    expect(plain).not.toBe(sdl);
    expect(plain).toBe(`${printSchema(buildSchema(sdl))}\n`);
  });

  test("can be used in the type definitions of a host, which may define it", () => {
    const typeDefs = `
      directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION
      extend type Query { words: [String] @semanticNonNull(levels: [0, 1]) }`;
    const extend = { typeDefs, resolvers: { Query: { words: () => [] } } };
    const sdl = library({ extend }).graphql.sdl();
    expect(sdl).toContain("words: [String] @semanticNonNull(levels: [0, 1])");
    expect(sdl.match(/^directive @semanticNonNull/gm)).toHaveLength(1);
  });
});

describe("nonNullConnections", () => {
  const QUERY =
    "{ authors { nodes { name books { totalCount totalCountIsExact nodes { title } edges { cursor } pageInfo { hasNextPage endCursor } } } } }";
  const EMPTY = {
    totalCount: 0,
    totalCountIsExact: true,
    nodes: [],
    edges: [],
    pageInfo: { hasNextPage: false, endCursor: null },
  };

  test("is off by default: a caller who can't read any row gets null with an error", async () => {
    const { data, errors } = await ask(library({ readBook: signedIn }), QUERY);
    expect(data).toEqual({
      authors: {
        nodes: [
          { name: "Ann", books: null },
          { name: "Ben", books: null },
        ],
      },
    });
    expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }, { extensions: { code: "FORBIDDEN" } }]);
  });

  test("returns an empty page to a caller who can't read any row", async () => {
    const api = library({ readBook: signedIn, nonNullConnections: true });
    expect(fieldsOf(api.graphql.sdl(), "books")).toContain("books: BookConnection!");
    const { data, errors } = await ask(api, QUERY);
    const nodes = [
      { name: "Ann", books: EMPTY },
      { name: "Ben", books: EMPTY },
    ];
    expect({ data, errors }).toEqual({ data: { authors: { nodes } }, errors: undefined });
    const known = await ask(api, "{ authors { nodes { books { totalCount } } } }", {
      headers: { authorization: "Bearer key" },
    });
    expect(known.data).toEqual({ authors: { nodes: [{ books: { totalCount: 1 } }, { books: { totalCount: 1 } }] } });
  });

  test("keeps the error of a relation with a rule of its own", async () => {
    const api = library({ readBooks: signedIn, nonNullConnections: true });
    expect(fieldsOf(api.graphql.sdl(), "books")).toContain("books: BookConnection @semanticNonNull");
    const { data, errors } = await ask(api, "{ author(id: 1) { books { totalCount } } }");
    expect(data).toEqual({ author: { books: null } });
    expect(errors).toMatchObject([{ path: ["author", "books"], extensions: { code: "FORBIDDEN" } }]);
  });

  test("keeps the error of a list at the root", async () => {
    const { errors } = await ask(library({ readBook: signedIn, nonNullConnections: true }), "{ books { totalCount } }");
    expect(errors).toMatchObject([{ path: ["books"], extensions: { code: "UNAUTHENTICATED" } }]);
  });
});
