import { describe, expect, test } from "vitest";
import { libraryModel } from "../../test/library.ts";
import type { Operator } from "../definition/operators.ts";
import type { Json } from "../util/json.ts";
import { costOf } from "./cost.ts";
import { refuseCost } from "./refuse-excess.ts";
import type { Filter, RelatedFilter } from "../operation/filter.ts";
import { DEFAULT_LIMITS, limitsOf } from "./limits.ts";
import type { ListOperation, Operation } from "../operation/operation.ts";
import type { RelationSelection, Selection } from "../operation/selection.ts";

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

describe("the cost of an operation", () => {
  test.each<[name: string, operation: Operation, cost: number]>([
    ["one row", { kind: "get", resource: "book", key, selection: row }, 1],
    ["a page", list(50, row), 50],
    ["a page with a total", list(50, row, true), 60],
    ["to-one relations count with their parent", list(50, of(one("author", of(one("publisher"))))), 50],
    ["to-many relations multiply", list(50, of(many("books", 20, of(many("reviews", 10))))), 11_050],
    ["through a to-one relation", list(50, of(one("author", of(many("books", 20))))), 1_050],
    ["two relations side by side", list(10, of(many("books", 20), many("prizes", 5))), 10 + 200 + 50],
    ["a count for each parent", list(10, of(many("books", 20, row, true))), 10 + 200 + 100],
    [
      "a write with the rows that it returns",
      { kind: "create", resource: "book", input: {}, form: "wire", selection: of(many("reviews", 10)) },
      21,
    ],
    ["a delete", { kind: "delete", resource: "book", key }, 10],
    ["a link", { kind: "link", resource: "book", key, relation: "tags", target: key }, 10],
    [
      "a bulk write",
      { kind: "createMany", resource: "book", inputs: Array.from({ length: 100 }), form: "wire", selection: row },
      110,
    ],
    // The library does not allow bulk writes.
    ["a bulk write without rows", { kind: "deleteMany", resource: "book" }, 10],
    ["an event", { kind: "watch", resource: "book", on: ["created"], selection: of(many("reviews", 10)) }, 11],
    ["a permissions request", { kind: "permissions", resource: "book" }, 1],
  ])("%s", (_, operation, cost) => {
    expect(costOf(operation, model)).toBe(cost);
  });
});

const title = (operator: Operator, value: Json = "x"): Filter => compare("title", operator, value);
const compare = (field: string, operator: Operator, value: Json): Filter => ({
  kind: "compare",
  field,
  operator,
  value,
});
const along = (relation: string, quantifier: RelatedFilter["quantifier"], filter: Filter): Filter => ({
  kind: "related",
  relation,
  quantifier,
  filter,
});
const not = (filter: Filter): Filter => ({ kind: "not", filter });
const any = (...filters: readonly Filter[]): Filter => ({ kind: "or", filters });
const all = (...filters: readonly Filter[]): Filter => ({ kind: "and", filters });
const books = (filter: Filter, others: Partial<ListOperation> = {}): Operation => ({
  kind: "list",
  resource: "book",
  sort: [],
  page: { size: 1 },
  selection: row,
  filter,
  ...others,
});
const byName = along("author", "one", compare("name", "icontains", "qq"));

describe("the cost of finding the rows, beside a page of one", () => {
  test.each<[name: string, operation: Operation, cost: number]>([
    ["a key", books(compare("id", "eq", "1")), 0],
    ["many keys", books(compare("id", "in", ["1", "2"])), 0],
    ["one of several keys", books(any(compare("id", "eq", "1"), compare("id", "eq", "2"))), 0],
    ["a field other than the key", books(title("eq")), 10],
    ["the start of a text", books(title("startsWith")), 10],
    ["a part of a text", books(title("icontains")), 150],
    ["a negated condition", books(title("ne")), 150],
    ["text that does not contain a text", books(title("notContains")), 150],
    ["a different key", books(not(compare("id", "eq", "1"))), 150],
    ["not not", books(not(not(title("eq")))), 10],
    ["a key or another field", books(any(compare("id", "eq", "1"), title("eq"))), 20],
    ["a key and another field", books(all(compare("id", "eq", "1"), title("eq"))), 10],
    ["several conditions", books(all(title("contains"), title("gt"), title("lt"))), 170],
    ["a relation to one", books(byName), 175],
    ["a relation to many", books(along("reviews", "some", compare("stars", "eq", 5))), 110],
    ["within a not, along a relation", books(not(byName)), 175],
    [
      "several relations in a row",
      books(any(not(along("author", "one", along("books", "none", byName))))),
      25 + 100 + 175,
    ],
    ["twice if a total is counted", books(title("icontains"), { count: true }), 10 + 300],
    ["rows that are skipped", books(compare("id", "eq", "1"), { page: { size: 1, offset: 10_000 } }), 400],
    [
      "a sort along a relation",
      books(compare("id", "eq", "1"), { sort: [{ path: ["author", "name"], descending: false }] }),
      300,
    ],
    [
      "a filter of a relation, once for any number of parents",
      list(20, of({ ...many("books", 0), filter: title("icontains") })),
      20 + 150 - 1,
    ],
    ["many rows that are deleted", { kind: "deleteMany", resource: "book", filter: title("icontains") }, 10 + 150 - 1],
    [
      "a filter of events",
      { kind: "watch", resource: "book", on: ["created"], filter: title("icontains"), selection: row },
      150,
    ],
  ])("%s", (_, operation, cost) => {
    expect(costOf(operation, model)).toBe(1 + cost);
  });

  test("the error names the largest part of an operation that costs too much", () => {
    const filter = any(...Array.from({ length: 20 }, () => title("icontains")));
    const limits = limitsOf({ query: { cost: 2_000 } });
    expect(() => refuseCost(books(filter), model, limits, costOf(books(filter), model))).toThrow(
      expect.objectContaining({
        message: "The request costs 3,001 points, most of it for 'filter'. The maximum is 2,000. Request less data.",
        issues: [expect.objectContaining({ path: ["filter"], code: "too_costly" })],
      }),
    );
  });
});

describe("by default", () => {
  const nested = (a: number, b: number, c: number): Operation =>
    list(a, of(many("books", b, of(one("author"), many("reviews", c)))), true);

  test("permits 20 × 20 × 10 rows, but not 100 × 100 × 100", () => {
    expect(costOf(nested(20, 20, 10), model)).toBeLessThanOrEqual(DEFAULT_LIMITS.query.cost);
    expect(costOf(nested(50, 20, 10), model)).toBe(11_060);
    const largest = nested(100, 100, 100);
    expect(() => refuseCost(largest, model, DEFAULT_LIMITS, costOf(largest, model))).toThrow(
      expect.objectContaining({
        code: "BAD_REQUEST",
        message:
          "The request costs 1,010,110 points, most of it for 'books.reviews'. The maximum is 5,000. Request less data.",
        issues: [expect.objectContaining({ path: ["books", "reviews"], code: "too_costly" })],
      }),
    );
  });
});
