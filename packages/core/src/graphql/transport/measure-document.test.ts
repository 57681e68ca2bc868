import { parse } from "graphql";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, type Limits } from "../../limits/limits.ts";
import { measureDocument } from "./measure-document.ts";

/** Returns the names of the limits that a document exceeds. */
function excesses(text: string, limits: Partial<Limits> = {}): readonly unknown[] {
  return measureDocument(parse(text), { ...DEFAULT_LIMITS, ...limits }).map(({ extensions }) => extensions["limit"]);
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

describe("each limit is reached, and passed by one", () => {
  test.each<[limit: keyof Limits, value: number, within: string, beyond: string]>([
    ["documentDepth", 3, "{ a { b { c } } }", "{ a { b { c { d } } } }"],
    ["documentDepth", 3, "{ a { ... { b { ... { c } } } } }", "{ a { ... { b { c { ... { d } } } } } }"],
    [
      "documentDepth",
      3,
      "{ a { ...F } } fragment F on A { b { ...G } } fragment G on B { c }",
      "{ a { ...F } } fragment F on A { b { ...G } } fragment G on B { c { d } }",
    ],
    ["documentDepth", 3, "{ a { b { c } } } fragment Unused on A { a { a { a { a } } } }", "{ a { b { c { d } } } }"],
    ["documentRootFields", 2, "{ a b { c d e } }", "{ a b c }"],
    ["documentRootFields", 2, "{ ...F } fragment F on Q { a b { c d } }", "{ a ...F } fragment F on Q { a b }"],
    [
      "documentRootFields",
      2,
      "{ ... { a ...F } } fragment F on Q { b }",
      "{ ... { a ...F ...F } } fragment F on Q { b }",
    ],
    ["documentAliases", 2, "{ x: a { y: b c } }", "{ x: a { y: b z: c } }"],
    [
      "documentAliases",
      2,
      "{ a { ...F } b { ...F } } fragment F on A { x: a }",
      "{ a { ...F } b { ...F } c { ...F } } fragment F on A { x: a }",
    ],
    [
      "documentDirectives",
      2,
      "{ a @skip(if: true) b @include(if: true) }",
      "{ a @skip(if: true) @skip(if: true) ... @include(if: true) { b } }",
    ],
    ["documentDirectives", 2, "query @a @b { c }", "query ($v: Int @a) @b { c ...F @d } fragment F on Q { e }"],
    ["jsonDepth", 3, "{ a(b: [{ c: [1, $d] }, []]) }", "{ a(b: [{ c: [1, [$d]] }]) }"],
    ["jsonDepth", 1, "query ($v: J = [1]) { a }", "query ($v: J = [{ b: {} }]) { a }"],
    [
      "jsonDepth",
      1,
      "{ a { ...F } } fragment F on A { b(c: {}) }",
      "{ a { ...F } } fragment F on A { b(c: { d: {} }) }",
    ],
    ["documentParts", 1, "{ a @stream { b } }", "{ a @stream { b } ... @defer { c } }"],
    [
      "documentParts",
      2,
      "{ a { ...F @defer } b { ...F @defer } } fragment F on A { c }",
      "{ a { ...F } b { ...F } c { ...F } } fragment F on A { x @stream }",
    ],
    ["documentFields", 4, "{ a { b } c { d } }", "{ a { b } c { d e } }"],
    [
      "documentFields",
      4,
      "{ a { ...F } b { ...F } } fragment F on A { c }",
      "{ a { ...F } b { ...F } } fragment F on A { c d }",
    ],
    ["documentComparisons", 3, "{ a a a }", "{ a a a a }"],
    ["documentComparisons", 3, "{ a a b b c c }", "{ a a b b c c d d }"],
    ["documentComparisons", 9, "{ x { a } x { a } x { a } }", "{ x { a b } x { a b } x { a b } x { a } }"],
    [
      "documentComparisons",
      9,
      "{ a b c d e }",
      "{ ...F ...G } fragment F on Q { a b c d e } fragment G on Q { a b c d e }",
    ],
  ])("%s %i", (limit, value, within, beyond) => {
    expect(excesses(within, { [limit]: value })).toEqual([]);
    expect(excesses(beyond, { [limit]: value })).toEqual([limit]);
  });

  test("each operation counts on its own, and the error shows which", () => {
    expect(excesses("query A { a b } query B { c d }", { documentRootFields: 2 })).toEqual([]);
    // Fields are the exception: each operation is validated with the fragments that it spreads.
    const shared = "query A { ...F } query B { ...F } fragment F on Q { a b }";
    expect([excesses(shared, { documentFields: 4 }), excesses(shared, { documentFields: 3 })]).toEqual([
      [],
      ["documentFields"],
    ]);
    const [error] = measureDocument(parse("query A { a b }\nquery B { c d e }"), {
      ...DEFAULT_LIMITS,
      documentFields: 2,
    });
    expect(error?.toJSON()).toEqual({
      message: "An operation can select at most 2 fields, including fragments.",
      locations: [{ line: 2, column: 1 }],
      extensions: {
        code: "BAD_REQUEST",
        limit: "documentFields",
        errors: [
          { path: [], message: "An operation can select at most 2 fields, including fragments.", code: "too_many" },
        ],
      },
    });
  });
});

describe("fragments that a naive traversal could not handle", () => {
  const fanOut = (levels: number): string =>
    `{ ...F0 } ${repeat(levels, (n) => `fragment F${n} on Q { ...F${n + 1} ...F${n + 1} }`)} fragment F${levels} on Q { a }`;

  test("E01: leaves cycles of fragments to validation", () => {
    expect(excesses("{ ...A } fragment A on Q { a ...B } fragment B on Q { b ...A }")).toEqual([]);
    expect(excesses("{ ...A } fragment A on Q { ...A }")).toEqual([]);
  });

  test("E02: counts fragments that are spread twice each time", () => {
    expect(excesses(fanOut(12))).toEqual(["documentRootFields"]);
    expect(excesses(fanOut(12), { documentRootFields: 5_000 })).toEqual([]);
    expect(excesses(fanOut(13), { documentRootFields: 9_000 })).toEqual(["documentFields"]);
    expect(excesses(fanOut(200))).toEqual(["documentRootFields", "documentFields"]);
  });

  test("E03: leaves the comparison of fields with one name to validation", () => {
    const open = { documentAliases: 9_999, documentRootFields: 9_999 };
    expect(excesses(`{ ${repeat(660, () => "a: __typename")} }`, open)).toEqual(["documentComparisons"]);
    expect(excesses(`{ ${repeat(400, () => "... { a }")} }`, open)).toEqual(["documentComparisons"]);
    expect(excesses(`{ ${repeat(300, () => "a { b }")} }`, open)).toEqual(["documentComparisons"]);
    expect(excesses(`{ ${repeat(600, (n) => `a${n}`)} }`, open)).toEqual([]);
    const spread = `{ ${repeat(90, (n) => `a${n} { ...F }`)} } fragment F on A { ${repeat(300, (n) => `b${n}`)} }`;
    expect(excesses(spread, { ...open, documentFields: 99_999 })).toEqual(["documentComparisons"]);
  });

  test("leaves unknown fragments to validation", () => {
    expect(excesses("{ ...Nothing }")).toEqual([]);
  });
});
