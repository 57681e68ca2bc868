import fc from "fast-check";
import { expect, test } from "vitest";
import type { RelationModel, ResourceModel, Row } from "../model/model.ts";
import type { Filter, RelatedFilter } from "../operation/filter.ts";
import type { Json } from "../util/json.ts";
import { bookRow, libraryModel } from "../../test/library.ts";
import { compileFilter } from "./evaluate-filter.ts";
import { Evaluation, type Related } from "./evaluation.ts";
import { createCommitted } from "./memory/committed.ts";

const model = libraryModel();
const resourceOf = (name: string): ResourceModel => model.resources.get(name) as ResourceModel;
const NAMES = ["", "a", "ab", "b"];

function fill(authors: number, books: number): ReturnType<typeof createCommitted> {
  const committed = createCommitted(model, [...model.resources.values()]);
  for (let n = 0; n < authors; n++) {
    committed.tableOf("author").insert({ id: n, name: NAMES[n % 4] ?? "", born: null });
  }
  for (let n = 0; n < books; n++) {
    const authorId = n % 5 === 0 ? null : (n * 3) % (authors + 1);
    committed.tableOf("book").insert(bookRow(`b${n}`, { title: NAMES[(n * 7) % 4] ?? "", authorId }));
  }
  return committed;
}

/** The meaning of a filter in the fewest words: nothing is remembered, and every row is walked. */
function holds(filter: Filter, resource: ResourceModel, row: Row, related: Related): boolean {
  switch (filter.kind) {
    case "constant":
      return filter.value;
    case "and":
      return filter.filters.every((inner) => holds(inner, resource, row, related));
    case "or":
      return filter.filters.some((inner) => holds(inner, resource, row, related));
    case "not":
      return !holds(filter.filter, resource, row, related);
    case "related": {
      const relation = resource.relations.get(filter.relation) as RelationModel;
      const matches = (one: Row): boolean => holds(filter.filter, resourceOf(relation.target), one, related);
      const rows = related(relation, row);
      if (filter.quantifier === "every") return rows.every(matches);
      return filter.quantifier === "none" ? !rows.some(matches) : rows.some(matches);
    }
    case "compare":
      return compileFilter(filter, resource, new Evaluation(model, related))(row);
  }
}

const values = fc.uniqueArray(fc.constantFrom<Json>(...NAMES), { minLength: 1 });
const compare = (field: string): fc.Arbitrary<Filter> =>
  fc.oneof(
    values.map((value): Filter => ({ kind: "compare", field, operator: "in", value })),
    fc.constantFrom(...NAMES).map((value): Filter => ({ kind: "compare", field, operator: "icontains", value })),
  );
const RELATIONS = {
  author: { name: "books", target: "book", many: true },
  book: { name: "author", target: "author", many: false },
} as const;

function filterOf(resource: "author" | "book", depth: number): fc.Arbitrary<Filter> {
  const leaf = compare(resource === "author" ? "name" : "title");
  if (depth === 0) return leaf;
  const { name, target, many } = RELATIONS[resource];
  const quantifiers: readonly RelatedFilter["quantifier"][] = many ? ["some", "every", "none"] : ["one"];
  const related = fc
    .tuple(fc.constantFrom(...quantifiers), filterOf(target, depth - 1))
    .map(([quantifier, filter]): Filter => ({ kind: "related", relation: name, quantifier, filter }));
  const inner = fc.oneof(leaf, related, related);
  const joined = fc
    .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([kind, filters]): Filter => ({ kind, filters }));
  return fc.oneof(
    leaf,
    related,
    related,
    joined,
    related.map((filter): Filter => ({ kind: "not", filter })),
  );
}

test("an evaluation that caches related rows returns the same as one without a cache", () => {
  let matching = 0;
  let others = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 20 }),
      filterOf("book", 3),
      (authors, books, filter) => {
        const { view } = fill(authors, books);
        const matches = compileFilter(filter, resourceOf("book"), new Evaluation(model, view.related));
        for (const row of view.all(resourceOf("book"))) {
          const isMatch = holds(filter, resourceOf("book"), row, view.related);
          expect(matches(row)).toBe(isMatch);
          if (isMatch) matching++;
          else others++;
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(matching).toBeGreaterThan(500);
  expect(others).toBeGreaterThan(500);
});

/** How many rows relations lead to while one read evaluates a filter. */
function relatedRows(authors: number, books: number, filter: Filter): number {
  const { view } = fill(authors, books);
  let count = 0;
  const related: Related = (relation, row) => {
    const rows = view.related(relation, row);
    count += rows.length;
    return rows;
  };
  const matches = compileFilter(filter, resourceOf("book"), new Evaluation(model, related));
  for (const row of view.all(resourceOf("book"))) matches(row);
  return count;
}

test("reads nested relations once per row of each level, not once per pair", () => {
  const byName: Filter = {
    kind: "related",
    relation: "author",
    quantifier: "one",
    filter: { kind: "compare", field: "name", operator: "icontains", value: "qq" },
  };
  const none: Filter = { kind: "related", relation: "books", quantifier: "none", filter: byName };
  const nested: Filter = {
    kind: "not",
    filter: { kind: "related", relation: "author", quantifier: "one", filter: none },
  };
  // Each author from its books, each book from its author, and each author once more.
  expect(relatedRows(10, 1_000, nested)).toBeLessThan(1_000 + 2 * 10 + 10);
  expect(relatedRows(10, 2_000, nested)).toBeLessThan(2_000 + 2 * 10 + 10);
});

test("stops an evaluation at its deadline", () => {
  const { view } = fill(0, 10_000);
  let looked = 0;
  const signal = AbortSignal.abort(new Error("Too late."));
  const context = {
    signal,
    get isOver(): boolean {
      looked++;
      return looked > 1;
    },
  };
  const evaluation = new Evaluation(model, view.related, context);
  const filter: Filter = {
    kind: "related",
    relation: "books",
    quantifier: "some",
    filter: { kind: "compare", field: "title", operator: "eq", value: "none of them" },
  };
  const matches = compileFilter(filter, resourceOf("author"), evaluation);
  expect(() => matches({ id: 0, name: "", born: null })).toThrow("Too late.");
  expect(looked).toBe(2);
});
