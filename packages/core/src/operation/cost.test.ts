import { describe, expect, test } from "vitest";
import { libraryModel } from "../testing/library.ts";
import { checkCost } from "./check-cost.ts";
import { costOf } from "./cost.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { Operation } from "./operation.ts";
import type { RelationSelection, Selection } from "./selection.ts";

const model = libraryModel();
const row: Selection = { fields: [], relations: [] };
const one = (relation: string, selection: Selection = row): RelationSelection => ({
  relation,
  as: relation,
  sort: [],
  selection,
});
const many = (relation: string, size: number, selection: Selection = row, count = false): RelationSelection => ({
  ...one(relation, selection),
  page: { size },
  count,
});
const of = (...relations: readonly RelationSelection[]): Selection => ({ fields: [], relations });
const list = (size: number, selection: Selection, count = false): Operation => ({
  kind: "list",
  resource: "author",
  sort: [],
  page: { size },
  count,
  selection,
});
const key = "1";

describe("what an operation costs", () => {
  test.each<[name: string, operation: Operation, cost: number]>([
    ["one row", { kind: "get", resource: "book", key, selection: row }, 1],
    ["a page", list(50, row), 50],
    ["a page that is counted", list(50, row, true), 60],
    ["to-one relations count with their parent", list(50, of(one("author", of(one("publisher"))))), 50],
    ["to-many relations multiply", list(50, of(many("books", 20, of(many("reviews", 10))))), 11_050],
    ["through a to-one relation", list(50, of(one("author", of(many("books", 20))))), 1_050],
    ["beside each other", list(10, of(many("books", 20), many("prizes", 5))), 10 + 200 + 50],
    ["a count for each parent", list(10, of(many("books", 20, row, true))), 10 + 200 + 100],
    [
      "a write, with what it answers",
      { kind: "create", resource: "book", input: {}, form: "wire", selection: of(many("reviews", 10)) },
      21,
    ],
    ["a removal", { kind: "remove", resource: "book", key }, 10],
    ["a link", { kind: "link", resource: "book", key, relation: "tags", target: key }, 10],
    [
      "many rows at once",
      { kind: "createMany", resource: "book", inputs: Array.from({ length: 100 }), form: "wire", selection: row },
      110,
    ],
    // The library allows no bulk writes.
    ["no rows at once", { kind: "removeMany", resource: "book", filter: undefined }, 10],
    ["an event", { kind: "watch", resource: "book", on: ["created"], selection: of(many("reviews", 10)) }, 11],
    ["a question about rights", { kind: "permissions", resource: "book" }, 1],
  ])("%s", (_, operation, cost) => {
    expect(costOf(operation, model)).toBe(cost);
  });
});

describe("by default", () => {
  const nested = (a: number, b: number, c: number): Operation =>
    list(a, of(many("books", b, of(one("author"), many("reviews", c)))), true);

  test("20 × 20 × 10 rows pass, and 100 × 100 × 100 do not", () => {
    expect(() => checkCost(nested(20, 20, 10), model, DEFAULT_LIMITS)).not.toThrow();
    expect(() => checkCost(nested(50, 20, 10), model, DEFAULT_LIMITS)).toThrow("this one costs 11,060");
    expect(() => checkCost(nested(100, 100, 100), model, DEFAULT_LIMITS)).toThrow(
      expect.objectContaining({
        code: "BAD_REQUEST",
        message: "A request may cost 5,000, and this one costs 1,010,110, most of it for 'books.reviews'.",
        issues: [expect.objectContaining({ path: ["books", "reviews"], code: "too_costly" })],
      }),
    );
  });
});
