import { describe, expect, test } from "vitest";
import type { GraphqlSettings } from "../../src/index.ts";
import { post, start } from "./notes.ts";

/** Each request has a misspelled name, with the intended one. */
const NEARLY: readonly (readonly [name: string, body: unknown, meant: string])[] = [
  ["a field", { query: "{ book(id: 1) { titel } }" }, "title"],
  ["a field of a row on its connection", { query: "{ books { title } }" }, "nodes"],
  ["a root field", { query: "{ boks { nodes { id } } }" }, "books"],
  ["an argument", { query: "{ books(firts: 1) { nodes { id } } }" }, "first"],
  ["a type", { query: "{ book(id: 1) { ... on Bok { id } } }" }, "Book"],
  ["a type of a variable", { query: "query ($f: BookFilte) { books(filter: $f) { nodes { id } } }" }, "BookFilter"],
  ["an enum value", { query: "{ books(filter: { genre: { eq: nvel } }) { nodes { id } } }" }, "novel"],
  ["a field of an input", { query: '{ books(filter: { titel: { eq: "x" } }) { nodes { id } } }' }, "title"],
  [
    "an enum value in a variable",
    {
      query: "query ($f: BookFilter) { books(filter: $f) { nodes { id } } }",
      variables: { f: { genre: { eq: "nvel" } } },
    },
    "novel",
  ],
  [
    "a field of an input in a variable",
    {
      query: "query ($f: BookFilter) { books(filter: $f) { nodes { id } } }",
      variables: { f: { titel: { eq: "x" } } },
    },
    "title",
  ],
  [
    "a field of an input to write",
    {
      query: "mutation ($b: UpdateBookInput!) { updateBook(id: 1, input: $b) { id } }",
      variables: { b: { titel: "x" } },
    },
    "title",
  ],
];

const textOf = async (settings: GraphqlSettings, body: unknown): Promise<string> =>
  JSON.stringify((await post(start(settings).api, body)).body);

describe("suggestions", () => {
  test.each(NEARLY)("off: %s", async (_, body, meant) => {
    for (const settings of [{ suggestions: false }, { introspection: false }]) {
      const text = await textOf(settings, body);
      expect(text).toContain('"errors"');
      expect(text).not.toMatch(new RegExp(`did you mean|\\b${meant}\\b`, "i"));
    }
  });

  test.each(NEARLY)("on: %s", async (_, body, meant) => {
    for (const settings of [{}, { introspection: false, suggestions: true }]) {
      expect(await textOf(settings, body)).toMatch(new RegExp(`Did you mean [^?]*\\b${meant}\\b`));
    }
  });
});

test("names the rows of a connection only for fields that they have", async () => {
  expect(await textOf({}, { query: "{ books { title } }" })).toContain('Did you mean \\"nodes { title }\\"?');
  expect(await textOf({}, { query: "{ books { nothing } }" })).not.toContain("Did you mean");
});

describe("introspection", () => {
  test.each(["{ __schema { types { name } } }", '{ __type(name: "Book") { name } }', "{ a: __schema { __typename } }"])(
    "off: %s",
    async (query) => {
      expect(await textOf({ introspection: false }, { query })).toMatch(/introspection/i);
      expect(await textOf({ suggestions: false }, { query })).not.toContain('"errors"');
    },
  );

  test("off, __typename still works", async () => {
    expect(await textOf({ introspection: false }, { query: "{ __typename }" })).toBe('{"data":{"__typename":"Query"}}');
  });

  test("E12: limits introspection of introspection", async () => {
    const nested = (levels: number): string => (levels === 0 ? "name" : `fields { type { ${nested(levels - 1)} } }`);
    expect(await textOf({}, { query: `{ __schema { types { ${nested(10)} } } }` })).toMatch(/errors/);
    const many = Array.from({ length: 31 }, (_, n) => `a${n}: __schema { __typename }`).join(" ");
    expect(await textOf({}, { query: `{ ${many} }` })).toContain("graphql.rootFields");
  });
});
