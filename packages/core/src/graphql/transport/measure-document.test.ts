import { parse } from "graphql";
import { describe, expect, test } from "vitest";
import { type LimitOptions, limitsOf } from "../../limits/limits.ts";
import { measureDocument } from "./measure-document.ts";

/** Returns the names of the limits that a document exceeds. */
function excesses(text: string, limits: LimitOptions = {}): readonly unknown[] {
  return measureDocument(parse(text), limitsOf(limits)).map(({ extensions }) => extensions["limit"]);
}

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(" ");

describe("permits each limit, and rejects one more", () => {
  test.each<[limit: string, value: number, within: string, beyond: string]>([
    ["graphql.depth", 3, "{ a { b { c } } }", "{ a { b { c { d } } } }"],
    ["graphql.depth", 3, "{ a { ... { b { ... { c } } } } }", "{ a { ... { b { c { ... { d } } } } } }"],
    [
      "graphql.depth",
      3,
      "{ a { ...F } } fragment F on A { b { ...G } } fragment G on B { c }",
      "{ a { ...F } } fragment F on A { b { ...G } } fragment G on B { c { d } }",
    ],
    ["graphql.depth", 3, "{ a { b { c } } } fragment Unused on A { a { a { a { a } } } }", "{ a { b { c { d } } } }"],
    ["graphql.rootFields", 2, "{ a b { c d e } }", "{ a b c }"],
    ["graphql.rootFields", 2, "{ ...F } fragment F on Q { a b { c d } }", "{ a ...F } fragment F on Q { a b }"],
    [
      "graphql.rootFields",
      2,
      "{ ... { a ...F } } fragment F on Q { b }",
      "{ ... { a ...F ...F } } fragment F on Q { b }",
    ],
    ["graphql.aliases", 2, "{ x: a { y: b c } }", "{ x: a { y: b z: c } }"],
    [
      "graphql.aliases",
      2,
      "{ a { ...F } b { ...F } } fragment F on A { x: a }",
      "{ a { ...F } b { ...F } c { ...F } } fragment F on A { x: a }",
    ],
    [
      "graphql.directives",
      2,
      "{ a @skip(if: true) b @include(if: true) }",
      "{ a @skip(if: true) @skip(if: true) ... @include(if: true) { b } }",
    ],
    ["graphql.directives", 2, "query @a @b { c }", "query ($v: Int @a) @b { c ...F @d } fragment F on Q { e }"],
    ["http.jsonDepth", 3, "{ a(b: [{ c: [1, $d] }, []]) }", "{ a(b: [{ c: [1, [$d]] }]) }"],
    ["http.jsonDepth", 1, "query ($v: J = [1]) { a }", "query ($v: J = [{ b: {} }]) { a }"],
    [
      "http.jsonDepth",
      1,
      "{ a { ...F } } fragment F on A { b(c: {}) }",
      "{ a { ...F } } fragment F on A { b(c: { d: {} }) }",
    ],
    ["graphql.incrementalParts", 1, "{ a @stream { b } }", "{ a @stream { b } ... @defer { c } }"],
    [
      "graphql.incrementalParts",
      2,
      "{ a { ...F @defer } b { ...F @defer } } fragment F on A { c }",
      "{ a { ...F } b { ...F } c { ...F } } fragment F on A { x @stream }",
    ],
    ["graphql.fields", 4, "{ a { b } c { d } }", "{ a { b } c { d e } }"],
    [
      "graphql.fields",
      4,
      "{ a { ...F } b { ...F } } fragment F on A { c }",
      "{ a { ...F } b { ...F } } fragment F on A { c d }",
    ],
    ["graphql.fieldPairs", 3, "{ a a a }", "{ a a a a }"],
    ["graphql.fieldPairs", 3, "{ a a b b c c }", "{ a a b b c c d d }"],
    ["graphql.fieldPairs", 9, "{ x { a } x { a } x { a } }", "{ x { a b } x { a b } x { a b } x { a } }"],
    [
      "graphql.fieldPairs",
      9,
      "{ a b c d e }",
      "{ ...F ...G } fragment F on Q { a b c d e } fragment G on Q { a b c d e }",
    ],
  ])("%s %i", (limit, value, within, beyond) => {
    const [group, name] = limit.split(".") as [string, string];
    const limits = { [group]: { [name]: value } };
    expect(excesses(within, limits)).toEqual([]);
    expect(excesses(beyond, limits)).toEqual([limit]);
  });

  test("measures each operation separately, and names it in the error", () => {
    expect(excesses("query A { a b } query B { c d }", { graphql: { rootFields: 2 } })).toEqual([]);
    // Fields are the exception: each operation is validated with the fragments that it spreads.
    const shared = "query A { ...F } query B { ...F } fragment F on Q { a b }";
    expect([excesses(shared, { graphql: { fields: 4 } }), excesses(shared, { graphql: { fields: 3 } })]).toEqual([
      [],
      ["graphql.fields"],
    ]);
    const [error] = measureDocument(parse("query A { a b }\nquery B { c d e }"), limitsOf({ graphql: { fields: 2 } }));
    expect(error?.toJSON()).toEqual({
      message: "An operation can select at most 2 fields, including fragments.",
      locations: [{ line: 2, column: 1 }],
      extensions: {
        code: "BAD_REQUEST",
        limit: "graphql.fields",
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
    expect(excesses(fanOut(12))).toEqual(["graphql.rootFields"]);
    expect(excesses(fanOut(12), { graphql: { rootFields: 5_000 } })).toEqual([]);
    expect(excesses(fanOut(13), { graphql: { rootFields: 9_000 } })).toEqual(["graphql.fields"]);
    expect(excesses(fanOut(200))).toEqual(["graphql.rootFields", "graphql.fields"]);
  });

  test("E03: leaves the comparison of fields with one name to validation", () => {
    const open = { graphql: { aliases: 9_999, rootFields: 9_999 } };
    expect(excesses(`{ ${repeat(660, () => "a: __typename")} }`, open)).toEqual(["graphql.fieldPairs"]);
    expect(excesses(`{ ${repeat(400, () => "... { a }")} }`, open)).toEqual(["graphql.fieldPairs"]);
    expect(excesses(`{ ${repeat(300, () => "a { b }")} }`, open)).toEqual(["graphql.fieldPairs"]);
    expect(excesses(`{ ${repeat(600, (n) => `a${n}`)} }`, open)).toEqual([]);
    const spread = `{ ${repeat(90, (n) => `a${n} { ...F }`)} } fragment F on A { ${repeat(300, (n) => `b${n}`)} }`;
    expect(excesses(spread, { graphql: { ...open.graphql, fields: 99_999 } })).toEqual(["graphql.fieldPairs"]);
  });

  test("leaves unknown fragments to validation", () => {
    expect(excesses("{ ...Nothing }")).toEqual([]);
  });
});
