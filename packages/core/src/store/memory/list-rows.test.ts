import fc from "fast-check";
import { expect, test, vi } from "vitest";
import type { Operator } from "../../definition/operators.ts";
import type { ResourceModel, Row } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Json } from "../../util/json.ts";
import { bookRow, libraryModel } from "../../../test/library.ts";
import { Evaluation } from "../evaluation.ts";
import type { ListQuery, StorePage } from "../store.ts";
import { Bucket } from "./bucket.ts";
import { createCommitted } from "./committed.ts";
import { directList } from "./directed.ts";
import { listRows, scanRows } from "./list-rows.ts";
import type { Reading } from "./reading.ts";

const model = libraryModel();
const resources = [...model.resources.values()];
const resource = model.resources.get("book") as ResourceModel;
const TITLES = ["", "a", "ab", "abc", "b", "\u{1F600}", "\uFF5E", "B"];

function fill(count: number): ReturnType<typeof createCommitted> {
  const committed = createCommitted(model, resources);
  for (let n = 0; n < 8; n++) {
    committed
      .tableOf("author")
      .insert({ id: n, name: TITLES[n] ?? "", born: n % 3 === 0 ? null : `19${10 + n}-01-01` });
  }
  for (let n = 0; n < count; n++) committed.tableOf("book").insert(rowOf(n));
  return committed;
}

function rowOf(n: number): Row {
  return bookRow(`b${n}`, {
    title: `${TITLES[n % 8] ?? ""}${n % 5}`,
    authorId: n % 7 === 0 ? null : n % 8,
    price: n % 6 === 0 ? null : (n * 7) % 11,
    genre: ["novel", "poem", "essay"][n % 3],
    sold: n % 2 === 0,
  });
}

const value: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  title: fc.constantFrom(...TITLES, "a1", "ab2"),
  price: fc.integer({ min: -1, max: 11 }),
  authorId: fc.integer({ min: 0, max: 8 }),
  genre: fc.constantFrom("novel", "poem"),
};

const comparison = fc.constantFrom("title", "price", "authorId", "genre").chain((field): fc.Arbitrary<Filter> => {
  const one = value[field] as fc.Arbitrary<Json>;
  const compare =
    (operator: Operator) =>
    (operand: Json): Filter => ({ kind: "compare", field, operator, value: operand });
  const list = fc.array(one, { maxLength: 3 });
  const ordered = fc.constantFrom("lt", "lte", "gt", "gte").chain((operator) => one.map(compare(operator)));
  const text = fc.constantFrom("startsWith", "contains", "notContains").chain((operator) => one.map(compare(operator)));
  const all = [one.map(compare("eq")), one.map(compare("ne")), list.map(compare("in")), list.map(compare("notIn"))];
  if (field === "price") all.push(ordered, fc.tuple(one, one).map(compare("between")));
  if (field === "title") all.push(ordered, text);
  return fc.oneof(...all, fc.boolean().map(compare("isNull")));
});

const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    comparison,
    fc.array(tie("filter"), { maxLength: 3 }).map((filters): Filter => ({ kind: "and", filters })),
    fc.array(tie("filter"), { maxLength: 3 }).map((filters): Filter => ({ kind: "or", filters })),
    tie("filter").map((inner): Filter => ({ kind: "not", filter: inner })),
    fc.constantFrom("Ann", "a", "b").map(
      (name): Filter => ({
        kind: "related",
        relation: "author",
        quantifier: "one",
        filter: { kind: "compare", field: "name", operator: "eq", value: name },
      }),
    ),
  ),
})).filter;

const queryParts = {
  filter: fc.option(filter, { nil: undefined }),
  limit: fc.integer({ min: 1, max: 9 }),
  offset: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  before: fc.option(fc.integer({ min: 0, max: 199 }), { nil: undefined }),
  fromEnd: fc.boolean(),
  count: fc.boolean(),
};
const query = fc.record({
  ...queryParts,
  by: fc.subarray(["title", "price", "genre"], { maxLength: 2 }),
  down: fc.boolean(),
  after: fc.option(fc.integer({ min: 0, max: 199 }), { nil: undefined }),
});

type Asked = typeof query extends fc.Arbitrary<infer T> ? T : never;

function toQuery({ by, down, after, before, ...rest }: Asked): ListQuery {
  const names = [...by, "id"];
  const sort = names.map((name) => ({ path: [name] as const, descending: down && name !== "id" }));
  const place = (n: number | undefined) => (n === undefined ? undefined : names.map((name) => rowOf(n)[name] ?? null));
  return { resource, sort, ...rest, after: place(after), before: place(before) };
}

/** Many rows have equal values, so that lists by several fields are built. */
const MANY = 1_500;
const mixed = fc.record({
  ...queryParts,
  by: fc.constantFrom(["price"], ["genre", "price"], ["price", "title"], ["sold", "price", "title"], []),
  directions: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  after: fc.option(fc.integer({ min: 0, max: MANY }), { nil: undefined }),
});

type Filled = ReturnType<typeof fill>;

function listed({ view, tableOf }: Filled, list: ListQuery): StorePage {
  // It pauses after every few rows and then continues.
  const evaluation = new Evaluation(model, view.related, undefined, 3);
  return whole(listRows(tableOf, directList(view, list, evaluation)), evaluation);
}

function scanned({ view }: Filled, list: ListQuery): StorePage {
  const evaluation = new Evaluation(model, view.related);
  return whole(scanRows(directList(view, list, evaluation), view.all(resource)), evaluation);
}

function whole<T>(reading: Reading<T>, evaluation: Evaluation): T {
  for (;;) {
    evaluation.resume();
    const result = reading();
    if (result !== undefined) return result;
  }
}

test("finds the same rows through indexes as with a full scan", () => {
  const committed = fill(200);
  fc.assert(
    fc.property(query, (asked) => {
      const list = toQuery(asked);
      expect(listed(committed, list)).toEqual(scanned(committed, list));
    }),
    { numRuns: 2_000 },
  );
});

test("the same after any writes", () => {
  const write = fc.record({
    n: fc.integer({ min: 0, max: 99 }),
    price: fc.integer({ min: 0, max: 5 }),
    change: fc.constantFrom("insert", "replace", "delete"),
  });
  let small = 0;
  fc.assert(
    fc.property(
      // Collections below 32 rows have their own form of list.
      fc.constantFrom(5, 20, 60),
      fc.array(write, { maxLength: 30 }),
      fc.array(query, { minLength: 1, maxLength: 3 }),
      (size, writes, asked) => {
        const committed = fill(size);
        const table = committed.tableOf("book");
        // The lists that writes have to keep up are made before.
        for (const one of asked) listed(committed, toQuery(one));
        for (const { n, price, change } of writes) {
          const before = table.get(`b${n}`);
          const after = { ...rowOf(n), price };
          if (before !== undefined && change === "replace") table.replace(before, after);
          else {
            if (before !== undefined) table.delete(before);
            if (change !== "delete") table.insert(after);
          }
          // Most writes follow a read of a list.
          const [first] = asked;
          if (first !== undefined) listed(committed, toQuery({ ...first, filter: undefined }));
        }
        if (table.all.rows.size < 32) small++;
        for (const one of asked) {
          const list = toQuery(one);
          expect(listed(committed, list)).toEqual(scanned(committed, list));
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(small).toBeGreaterThan(50);
});

test("the same in lists by several fields, whose rows with equal values are many", () => {
  const committed = fill(MANY);
  const table = committed.tableOf("book");
  const write = fc.record({ n: fc.nat(MANY), price: fc.integer({ min: 0, max: 5 }), isDeleted: fc.boolean() });
  const fromLists = vi.spyOn(Bucket.prototype, "sortedByAll");
  fc.assert(
    fc.property(mixed, fc.array(write, { maxLength: 4 }), ({ by, directions, after, before, ...rest }, writes) => {
      const names = [...by, "id"];
      const sort = names.map((name, index) => ({ path: [name] as const, descending: directions[index] === true }));
      const place = (n: number | undefined) =>
        n === undefined ? undefined : names.map((name) => rowOf(n)[name] ?? null);
      const list: ListQuery = { resource, sort, ...rest, after: place(after), before: place(before) };
      for (const { n, price, isDeleted } of writes) {
        const row = table.get(`b${n}`);
        if (row === undefined) table.insert({ ...rowOf(n), price });
        else if (isDeleted) table.delete(row);
        else table.replace(row, { ...row, price });
      }
      expect(listed(committed, list)).toEqual(scanned(committed, list));
    }),
    { numRuns: 1_000 },
  );
  const found = fromLists.mock.results.filter(({ value: list }) => list !== undefined);
  expect(found.length).toBeGreaterThan(50);
});
