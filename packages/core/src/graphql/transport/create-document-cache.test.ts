import { buildSchema } from "graphql";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../limits/limits.ts";
import { createDocumentCache } from "./create-document-cache.ts";

const schema = buildSchema("type Query { a: Int } type Subscription { b: Int }");

const createCache = () => createDocumentCache(schema, DEFAULT_LIMITS, { introspection: true, suggestions: true });

test("parses and compiles a document again only on its second use", () => {
  const check = createCache();
  const uses = [1, 2, 3, 4].map(() => check("query A { a }"));
  const [first, second, third, fourth] = uses.map(({ document }) => document);
  expect(second).not.toBe(first);
  expect(third).toBe(second);
  expect(fourth).toBe(second);
  expect(uses[3]?.operation?.("A")).toBe(uses[1]?.operation?.("A"));
});

test("keeps a subscription from its first use on", () => {
  const check = createCache();
  expect(check("subscription { b }").document).toBe(check("subscription { b }").document);
});

test("keeps a document while 1,000 others are sent once", () => {
  const check = createCache();
  check("query A { a }");
  const { document } = check("query A { a }");
  for (let index = 0; index < 1_000; index++) check(`query A${index} { a }`);
  expect(check("query A { a }").document).toBe(document);
});

test("never keeps a document with errors", () => {
  const check = createCache();
  const errors = [1, 2, 3].map(() => check("{ nothing }").errors);
  expect(new Set(errors).size).toBe(3);
});
