import { describe, expect, test } from "vitest";
import { answerText } from "../../answer.ts";
import { answerParts, openParts, readAll } from "./answer-parts.ts";
import { library } from "./library.ts";

/** The reads before the first part was written, and those after it. */
async function readsOf(query: string) {
  const { api, calls } = library();
  const body = await openParts(api, query);
  const first = [...calls];
  await readAll(body);
  return { first, later: calls.slice(first.length) };
}

describe("reads deferred fields later, once for all rows of a place", () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      "a relation of one row",
      "{ book(id: 1) { title ... @defer { author { name } } } }",
      ["book.byKeys(1)"],
      ["book.byKeys(1)", "author.byKeys(1)"],
    ],
    [
      "a relation of every row of a list",
      "{ books(first: 20) { nodes { title ... @defer { reviews { nodes { stars } } } } } }",
      ["book.list"],
      ["book.list", "review.listPer(20)"],
    ],
    [
      "fields that are selected elsewhere are not read again",
      "{ books(first: 20) { nodes { author { name } ... @defer { title author { name } } } } }",
      ["book.list", "author.byKeys(4)"],
      ["book.list"],
    ],
    [
      "a level that two parts share, each with its own field",
      "{ books(first: 20) { nodes { author { name } ... @defer { author { books { nodes { title } } } } } } }",
      ["book.list", "author.byKeys(4)"],
      ["author.list", "book.listPer(4)"],
    ],
    [
      "a fragment within another",
      "{ book(id: 1) { title ... @defer { price ... @defer { author { name } } } } }",
      ["book.byKeys(1)"],
      ["book.byKeys(1)", "book.byKeys(1)", "author.byKeys(1)"],
    ],
    [
      "a named fragment",
      "{ books(first: 3) { nodes { title ...Rest @defer } } } fragment Rest on Book { reviews { totalCount } }",
      ["book.list"],
      ["book.list", "review.listPer(3)"],
    ],
    [
      "a fragment at the root",
      "{ author(id: 1) { name } ... @defer { book(id: 1) { title } } }",
      ["author.byKeys(1)"],
      ["book.byKeys(1)"],
    ],
    [
      "after a mutation",
      'mutation { updateBook(id: 1, input: { title: "Emma" }) { title ... @defer { author { name } } } }',
      [],
      ["book.byKeys(1)", "author.byKeys(1)"],
    ],
  ])("%s", async (_, query, first, later) => {
    expect(await readsOf(query)).toEqual({ first, later });
  });

  test.each<[string, string, readonly string[], readonly string[]]>([
    ["a list", "{ books(first: 20) { nodes @stream(initialCount: 2) { title } } }", ["book.list"], ["book.list"]],
    ["a list without further rows", "{ authors { nodes @stream(initialCount: 4) { name } } }", ["author.list"], []],
    [
      "with its relations",
      "{ books(first: 20) { nodes @stream(initialCount: 1) { author { name } } } }",
      ["book.list", "author.byKeys(1)"],
      ["book.list", "author.byKeys(4)"],
    ],
    [
      "the list of one row",
      "{ author(id: 1) { books { edges @stream(initialCount: 1) { node { title } } } } }",
      ["author.byKeys(1)", "book.listPer(1)"],
      ["author.byKeys(1)", "book.listPer(1)"],
    ],
    [
      "the lists of many rows",
      "{ authors { nodes { books { nodes @stream(initialCount: 1) { title } } } } }",
      ["author.list", "book.listPer(4)"],
      ["author.list", "book.listPer(4)"],
    ],
    [
      "if pageInfo is selected at first, its page end is read at first",
      "{ books(first: 5) { nodes @stream(initialCount: 1) { title } pageInfo { hasNextPage } } }",
      ["book.list"],
      [],
    ],
    [
      "if pageInfo is deferred, its page end is read later",
      "{ books(first: 5) { nodes @stream(initialCount: 1) { title } ... @defer { pageInfo { hasNextPage } } } }",
      ["book.list"],
      ["book.list"],
    ],
  ])("reads a streamed list in two steps: %s", async (_, query, first, later) => {
    expect(await readsOf(query)).toEqual({ first, later });
  });
});

describe("sends the complete response to a client that doesn't accept parts, with the same number of calls", () => {
  const query = "{ books(first: 2) { nodes @stream { title ... @defer { author { name } } } } }";
  const plain = "{ books(first: 2) { nodes { title author { name } } } }";

  test.each(["application/json", "application/graphql-response+json", "*/*", "multipart/mixed;q=0, */*"])(
    "%s",
    async (accept) => {
      const { api, calls } = library();
      const ask = (text: string) => answerText(api, "POST", "/graphql", { headers: { accept }, body: { query: text } });
      const whole = await ask(query);
      expect(calls).toEqual(["book.list", "author.byKeys(2)"]);
      expect(whole).toEqual(await ask(plain));
    },
  );

  test("defers nothing if a variable disables it", async () => {
    const { api, calls } = library();
    const text =
      "query ($later: Boolean!) { books(first: 2) { nodes { title ... @defer(if: $later) { author { name } } } } }";
    const { headers, parts } = await answerParts(api, text, { variables: { later: false } });
    expect([headers["Content-Type"], parts.length]).toEqual(["application/json; charset=utf-8", 1]);
    expect(calls).toEqual(["book.list", "author.byKeys(2)"]);
  });
});
