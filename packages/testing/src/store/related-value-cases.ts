import type { Filter, Json, NamedRelatedValue, RelatedValue, Sort, WireType } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import { ascending, idsOf } from "./fixture.ts";
import { book } from "./rows.ts";
import type { StoreCase } from "./store-case.ts";

const NOVEL: Filter = { kind: "compare", field: "genre", operator: "eq", value: "novel" };
const INTEGER: WireType = { kind: "integer", nullable: false };

function valueOf(
  { relation, resource }: Fixture,
  path: string,
  kind: RelatedValue["kind"],
  field?: string,
  filter?: Filter,
): RelatedValue {
  const [from = "", name = ""] = path.split(".");
  const along = relation(from, name);
  const type = field === undefined || kind === "values" ? INTEGER : resource(along.target).fields.get(field)?.type;
  return { relation: along, kind, field, filter, type: { ...typeOf(kind, type), nullable: field !== undefined } };
}

function typeOf(kind: RelatedValue["kind"], type: WireType = INTEGER): WireType {
  if (type.kind === "decimal" && kind === "sum") return { ...type, precision: SUM_PRECISION };
  if (type.kind === "decimal" && kind === "avg")
    return { ...type, precision: SUM_PRECISION, scale: type.scale + AVERAGE_DIGITS };
  return kind === "avg" ? { kind: "number", nullable: true } : type;
}

/** The digits that a condition on a sum of decimals can have. */
const SUM_PRECISION = 80;
/** The digits that an average of decimals has in addition to those of its values. */
const AVERAGE_DIGITS = 6;

const named = (name: string, value: RelatedValue): NamedRelatedValue => ({ ...value, name });

function ofAuthors(fixture: Fixture): readonly NamedRelatedValue[] {
  const of = (kind: RelatedValue["kind"], field?: string) => valueOf(fixture, "author.books", kind, field);
  return [
    named("books", of("rows")),
    named("novels", valueOf(fixture, "author.books", "rows", undefined, NOVEL)),
    named("priced", of("values", "price")),
    named("price", of("sum", "price")),
    named("pages", of("sum", "pages")),
    named("cost", of("sum", "cost")),
    named("averagePrice", of("avg", "price")),
    named("averagePages", of("avg", "pages")),
    named("averageCost", of("avg", "cost")),
    named("first", of("min", "title")),
    named("last", of("max", "at")),
  ];
}

const AUTHORS: Readonly<Record<string, readonly Json[]>> = {
  1: [2, 1, 2, 12.5, "9007199254741003", "19.750", 6.25, 4503599627370502, "9.875000000", "Emma", null],
  2: [2, 1, 1, -1, "9", "-9.999", -1, 9, "-9.999000000", "100% _emma", "2026-01-01T12:00:00.000Z"],
  3: [2, 1, 2, 10, null, "999999999.999", 5, null, "999999999.999000000", "", "2025-12-31T23:59:59.999Z"],
  10: [0, 0, 0, null, null, null, null, null, null, null, null],
};

async function checkRead(fixture: Fixture): Promise<void> {
  const relatedValues = ofAuthors(fixture);
  const names = relatedValues.map(({ name }) => name);
  const found = (row: Readonly<Record<string, Json>>): readonly Json[] => names.map((name) => row[name] ?? null);
  const { rows } = await fixture.list("author", { relatedValues, fields: new Set(["id"]) });
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row["id"], found(row)])), AUTHORS);
  const byKey = await fixture.store.byKeys(
    { resource: fixture.resource("author"), keys: [3], relatedValues },
    fixture.context,
  );
  assert.deepEqual(byKey.map(found), [AUTHORS["3"]]);
  assert.equal(byKey[0]?.["name"], "Élise");
}

async function checkLinks(fixture: Fixture): Promise<void> {
  const relatedValues = [
    named("books", valueOf(fixture, "tag.books", "rows")),
    named("price", valueOf(fixture, "tag.books", "sum", "price")),
  ];
  const { rows } = await fixture.list("tag", { relatedValues });
  const found = rows.map(({ slug, books, price }) => [slug, books, price]);
  assert.deepEqual(found, [
    ["new", 1, 2.5],
    ["none", 0, null],
    ["old", 2, 12.5],
  ]);
}

async function checkComposite(fixture: Fixture): Promise<void> {
  const relatedValues = [named("size", valueOf(fixture, "rack.copies", "rows"))];
  const { rows } = await fixture.list("rack", { relatedValues });
  const found = rows.map(({ room, slot, size }) => [room, slot, size]);
  assert.deepEqual(found, [
    ["A", 1, 2],
    ["A", 2, 0],
    ["B", 1, 1],
    ["B,1", 1, 0],
  ]);
}

async function checkPer(fixture: Fixture): Promise<void> {
  const relatedValues = [
    named("reviews", valueOf(fixture, "book.reviews", "rows")),
    named("stars", valueOf(fixture, "book.reviews", "max", "stars")),
  ];
  const query = {
    resource: fixture.resource("book"),
    relation: fixture.relation("author", "books"),
    parents: [1, 3],
    sort: ascending("id"),
    limit: 1,
    fields: new Set(["id", "authorId"]),
    relatedValues,
  };
  const pages = await fixture.store.listPer(query, fixture.context);
  const found = pages.map(({ rows }) => rows.map(({ id, reviews, stars }) => [id, reviews, stars]));
  assert.deepEqual(found, [[["a", 2, 5]], [["e", 0, null]]]);
}

const FILTERS: readonly (readonly [RelatedValue["kind"], string | undefined, string, Json, readonly number[]])[] = [
  ["rows", undefined, "eq", 2, [1, 2, 3]],
  ["rows", undefined, "ne", 2, [10]],
  ["rows", undefined, "in", [0, 7], [10]],
  ["sum", "price", "gt", 5, [1, 3]],
  ["sum", "price", "isNull", true, [10]],
  ["sum", "pages", "gte", "9007199254741003", [1]],
  ["sum", "cost", "lt", "0.000", [2]],
  ["sum", "cost", "eq", "19.750", [1]],
  ["avg", "price", "gte", 5, [1, 3]],
  ["avg", "price", "isNull", true, [10]],
  ["avg", "pages", "eq", 4503599627370502, [1]],
  ["avg", "pages", "in", [9, 10], [2]],
  ["avg", "cost", "eq", "9.875000000", [1]],
  ["avg", "cost", "lt", "-9.998999999", [2]],
  ["avg", "cost", "in", ["9.875000000", "999999999.999000000", "0.000000000"], [1, 3]],
  ["avg", "cost", "ne", "-9.999000000", [1, 3, 10]],
  ["avg", "cost", "between", ["9.874999999", "9.875000001"], [1]],
  ["min", "title", "startsWith", "E", [1]],
  ["max", "at", "gt", "2026-01-01T00:00:00.000Z", [2]],
];

async function checkFilters(fixture: Fixture): Promise<void> {
  for (const [kind, field, operator, value, expected] of FILTERS) {
    const related = valueOf(fixture, "author.books", kind, field);
    const filter = { kind: "compare", field: "x", operator, value, related } as Filter;
    const name = `${kind} ${field} ${operator} ${JSON.stringify(value)}`;
    assert.deepEqual(await fixture.matching("author", filter), expected, name);
    const others = [1, 2, 3, 10].filter((id) => !expected.includes(id));
    assert.deepEqual(await fixture.matching("author", { kind: "not", filter }), others, `not ${name}`);
  }
  const along = {
    kind: "compare",
    field: "x",
    operator: "gt",
    value: 5,
    related: valueOf(fixture, "author.books", "sum", "price"),
  } as const;
  const owned = await fixture.matching("book", {
    kind: "related",
    relation: "author",
    quantifier: "one",
    filter: along,
  });
  assert.deepEqual(owned, ["a", "b", "e", "g"]);
}

const SORTS: readonly (readonly [RelatedValue["kind"], string | undefined, boolean, readonly number[]])[] = [
  ["sum", "price", true, [10, 1, 3, 2]],
  ["sum", "pages", false, [2, 1, 3, 10]],
  ["sum", "cost", false, [2, 1, 3, 10]],
  ["avg", "price", false, [2, 3, 1, 10]],
  ["avg", "pages", true, [3, 10, 1, 2]],
  ["avg", "cost", false, [2, 1, 3, 10]],
  ["rows", undefined, false, [10, 1, 2, 3]],
  ["max", "at", true, [1, 10, 2, 3]],
];

async function checkSorts(fixture: Fixture): Promise<void> {
  for (const [kind, field, descending, expected] of SORTS) {
    const related = valueOf(fixture, "author.books", kind, field);
    const sort: Sort = [{ path: ["x"], descending, related }, ...ascending("id")];
    const page = await fixture.list("author", { sort });
    const name = `${kind} ${field}`;
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      expected,
      name,
    );
    for (const at of [0, 1, 2]) {
      const after = page.position?.(at);
      const rest = await fixture.list("author", { sort, after, fields: new Set(["id"]) });
      assert.deepEqual(
        rest.rows.map(({ id }) => id),
        expected.slice(at + 1),
        `${name} after ${at}`,
      );
    }
  }
  const far = {
    path: ["author", "x"],
    descending: true,
    related: valueOf(fixture, "author.books", "sum", "price"),
  } as const;
  const { rows } = await fixture.list("book", { sort: [far, ...ascending("id")] });
  assert.equal(idsOf({ rows }), "dabegcf");
}

/** Sums of integers that no 64-bit integer represents. */
async function checkLarge(fixture: Fixture): Promise<void> {
  const { store, resource, context } = fixture;
  const pages = String(2n ** 63n - 1n);
  const rows = ["x", "y", "z"].map((id) => book(id, { authorId: 10, pages }));
  await store.insert({ resource: resource("book"), rows }, context);
  const [sum, avg] = [
    valueOf(fixture, "author.books", "sum", "pages"),
    valueOf(fixture, "author.books", "avg", "pages"),
  ];
  const matching = (related: RelatedValue, operator: "eq" | "gt", value: Json) =>
    fixture.matching("author", { kind: "compare", field: "x", operator, value, related });
  const total = 3n * (2n ** 63n - 1n);
  assert.deepEqual(await matching(sum, "eq", String(total)), [10]);
  assert.deepEqual(await matching(sum, "gt", String(total - 1n)), [10]);
  assert.deepEqual(await matching(sum, "gt", String(total)), []);
  assert.deepEqual(await matching(avg, "eq", 2 ** 63), [10]);
  assert.deepEqual(await matching(avg, "gt", 2 ** 62), [10]);
  for (const related of [sum, avg]) {
    const sort: Sort = [{ path: ["x"], descending: false, related }, ...ascending("id")];
    const page = await fixture.list("author", { sort });
    assert.equal(
      page.rows.findIndex(({ id }) => id === 10),
      2,
    );
    const rest = await fixture.list("author", { sort, after: page.position?.(1) });
    assert.deepEqual(
      rest.rows.map(({ id }) => id),
      [10, 3],
    );
  }
}

/** Values that are computed from related rows: in rows, conditions and sorts. */
export const relatedValueCases: readonly StoreCase[] = (
  [
    ["RV01", "adds values of related rows to rows", checkRead],
    ["RV02", "computes values along links", checkLinks],
    ["RV03", "computes values over composite references", checkComposite],
    ["RV04", "adds values to the rows of a relation", checkPer],
    ["RV05", "filters by values of related rows", checkFilters],
    ["RV06", "sorts by values of related rows, and continues after a position", checkSorts],
    ["RV07", "filters and sorts by sums and averages beyond 64 bits", checkLarge, "writes"],
  ] as const
).map(([id, name, run, ...needs]) => ({ id, name, needs: ["relatedValues", "links", "listPer", ...needs], run }));
