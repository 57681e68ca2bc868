import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import { DEFAULT_LIMITS } from "../../limits/limits.ts";
import { parseQuery, type QueryTree } from "./parse-query.ts";

const parse = (query: string): QueryTree => parseQuery(query);
/** As plain data: the trees have no prototype, which `toEqual` does not mind and `toStrictEqual` does. */
const plain = (tree: unknown): unknown => JSON.parse(JSON.stringify(tree));

function refusal(query: string): unknown {
  try {
    parse(query);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

describe("reads", () => {
  test.each<[string, object]>([
    ["", {}],
    ["a=1", { a: "1" }],
    ["a", { a: "" }],
    ["a=", { a: "" }],
    ["&&a=1&", { a: "1" }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["filter[price][gte]=10&filter[price][lt]=20", { filter: { price: { gte: "10", lt: "20" } } }],
    ["filter%5Bauthor.name%5D=J%C3%A4n+e%2B", { filter: { "author.name": "Jän e+" } }],
    ["a=b=c", { a: "b=c" }],
    ["a]=1", { "a]": "1" }],
    ["filter[or][0][a]=1&filter[or][1][a]=2", { filter: { or: { "0": { a: "1" }, "1": { a: "2" } } } }],
    ["__proto__=1", JSON.parse('{"__proto__":"1"}') as object],
    [
      "a[__proto__][b]=1&constructor[prototype]=2",
      JSON.parse('{"a":{"__proto__":{"b":"1"}},"constructor":{"prototype":"2"}}') as object,
    ],
  ])("%s", (query, expected) => {
    expect(plain(parse(query))).toEqual(expected);
    expect({}).not.toHaveProperty("b");
  });
});

describe("refuses", () => {
  test.each([
    ["a[", "malformed"],
    ["[a]=1", "malformed"],
    ["[]=1", "malformed"],
    ["a[][]=1", "malformed"],
    ["a[][b]=1", "malformed"],
    ["a[]=1&a[b]=1", "contradiction"],
    ["a[b]c=1", "malformed"],
    ["a[b][=1", "malformed"],
    ["a=%E0%A4", "malformed"],
    ["%=1", "malformed"],
    ["a=1&a[b]=2", "contradiction"],
    ["a[b]=2&a=1", "contradiction"],
    [`a${"[b]".repeat(24)}=1`, "too_deep"],
  ])("%s", (query, code) => {
    expect(refusal(query)).toMatchObject({ code: "BAD_REQUEST", issues: [{ code }] });
  });
});

test("parses or rejects any text, without other effects", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from("ab[]=&%.+0")) })), (query) => {
      const thrown = refusal(query);
      expect(thrown === undefined || isBifocalError(thrown)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test("parses written text to the original value", () => {
  const name = fc
    .string({ minLength: 1, unit: "binary" })
    .filter((text) => !/[[\]\p{Surrogate}]/u.test(text) && text.trim() !== "");
  const value = fc.string({ unit: "binary" }).filter((text) => !/\p{Surrogate}/u.test(text));
  const { tree } = fc.letrec<{ tree: object; node: unknown }>((tie) => ({
    tree: fc.dictionary(name, tie("node"), { minKeys: 1, maxKeys: 3 }),
    node: fc.oneof({ maxDepth: 3 }, value, fc.array(value, { minLength: 2, maxLength: 3 }), tie("tree")),
  }));
  const write = (node: unknown, path: string): string[] => {
    if (typeof node === "string") return [`${path}=${encodeURIComponent(node)}`];
    if (Array.isArray(node)) return node.flatMap((one) => write(one, path));
    return Object.entries(node as object).flatMap(([key, inner]) => {
      const part = encodeURIComponent(key);
      return write(inner, path === "" ? part : `${path}[${part}]`);
    });
  };
  fc.assert(
    fc.property(tree, (given) => {
      const query = write(given, "").join("&");
      fc.pre(query.length <= DEFAULT_LIMITS.http.queryLength);
      expect(plain(parse(query))).toEqual(plain(given));
    }),
  );
});
