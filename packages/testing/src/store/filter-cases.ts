import type { Filter, Json, Operator } from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { StoreCase } from "./store-case.ts";

const compare = (field: string, operator: Operator, value: Json): Filter => ({
  kind: "compare",
  field,
  operator,
  value,
});
const not = (filter: Filter): Filter => ({ kind: "not", filter });
const and = (...filters: Filter[]): Filter => ({ kind: "and", filters });
const or = (...filters: Filter[]): Filter => ({ kind: "or", filters });
const related = (relation: string, quantifier: "one" | "some" | "every" | "none", filter: Filter): Filter => ({
  kind: "related",
  relation,
  quantifier,
  filter,
});
const ALL = "abcdefg";

/** A filter over books, and the ids that match, one letter each. */
const FILTERS: readonly (readonly [name: string, filter: Filter, ids: string])[] = [
  ["eq text", compare("title", "eq", "Emma"), "a"],
  ["eq number", compare("price", "eq", 10), "adg"],
  ["eq zero", compare("price", "eq", 0), "e"],
  ["eq boolean", compare("sold", "eq", true), "bf"],
  ["eq enum", compare("genre", "eq", "essay"), "de"],
  ["eq bigint beyond 2^53", compare("pages", "eq", "9007199254740993"), "a"],
  ["eq decimal", compare("cost", "eq", "10.250"), "b"],
  ["in decimals", compare("cost", "in", ["9.500", "-9.999", "1.000"]), "af"],
  ["lt of decimals by value", compare("cost", "lt", "10.250"), "adf"],
  ["gt of negative decimals by value", compare("cost", "gt", "-10.000"), "abef"],
  ["between decimals", compare("cost", "between", ["-9.999", "999999999.998"]), "abf"],
  ["eq moment by instant", compare("at", "eq", "2026-01-01T11:00:00.000Z"), "d"],
  ["eq empty text", compare("title", "eq", ""), "g"],
  ["ne matches missing values", compare("price", "ne", 10), "bcef"],
  ["in", compare("title", "in", ["Emma", "Zebra", "nothing"]), "ac"],
  ["in nothing", compare("title", "in", []), ""],
  ["notIn matches missing values", compare("price", "notIn", [10, 0]), "bcf"],
  ["notIn nothing", compare("title", "notIn", []), ALL],
  ["isNull", compare("price", "isNull", true), "c"],
  ["not isNull", compare("price", "isNull", false), "abdefg"],
  ["isNull of a list", compare("words", "isNull", true), "cdfg"],
  ["isNull of JSON", compare("extra", "isNull", false), "eg"],
  ["lt", compare("price", "lt", 0), "f"],
  ["lte", compare("price", "lte", 0), "ef"],
  ["gt", compare("price", "gt", 2.5), "adg"],
  ["gte", compare("price", "gte", 2.5), "abdg"],
  ["between", compare("price", "between", [0, 2.5]), "be"],
  ["between with swapped bounds", compare("price", "between", [2.5, 0]), ""],
  ["lt of bigints by value", compare("pages", "lt", "10"), "c"],
  ["lt of moments by instant", compare("at", "lt", "2026-01-01T11:30:00.000Z"), "dg"],
  ["gt of text by code point", compare("title", "gt", "\uFF5E book"), "d"],
  ["lt of text by code point", compare("title", "lt", "Z"), "afg"],
  ["contains", compare("title", "contains", "mm"), "abf"],
  ["contains is case-sensitive", compare("title", "contains", "EMM"), ""],
  ["contains matches % literally", compare("title", "contains", "%"), "f"],
  ["contains matches _ literally", compare("title", "contains", "_"), "f"],
  ["contains nothing", compare("title", "contains", ""), ALL],
  ["notContains is true of missing values", compare("isbn", "notContains", "1"), "abcdeg"],
  ["notContains keeps case", compare("title", "notContains", "EMM"), ALL],
  ["notContains takes % as it is", compare("title", "notContains", "%"), "abcdeg"],
  ["notContains nothing", compare("title", "notContains", ""), ""],
  ["startsWith", compare("title", "startsWith", "em"), "b"],
  ["endsWith", compare("title", "endsWith", "emma"), "bf"],
  ["icontains", compare("title", "icontains", "EMM"), "abf"],
  ["istartsWith", compare("title", "istartsWith", "EM"), "ab"],
  ["iendsWith", compare("title", "iendsWith", "BRA"), "c"],
  ["has", compare("words", "has", "y"), "ae"],
  ["hasSome", compare("words", "hasSome", ["x", "q"]), "a"],
  ["hasSome of an empty list", compare("words", "hasSome", []), ""],
  ["hasEvery", compare("words", "hasEvery", ["x", "y"]), "a"],
  ["hasEvery of an empty list", compare("words", "hasEvery", []), "abe"],
  ["and", and(compare("genre", "eq", "novel"), compare("price", "eq", 10)), "ag"],
  ["or", or(compare("genre", "eq", "poem"), compare("price", "eq", 0)), "bef"],
  ["or of no conditions", or(), ""],
  ["and of no conditions", and(), ALL],
  ["not is exact, also for missing values", not(compare("price", "gt", 0)), "cef"],
  ["not of not", not(not(compare("price", "gt", 0))), "abdg"],
  ["not of or", not(or(compare("genre", "eq", "poem"), compare("genre", "eq", "essay"))), "acg"],
  ["a constant", and({ kind: "constant", value: true }, compare("genre", "eq", "essay")), "de"],
  ["the constant that never matches", { kind: "constant", value: false }, ""],
];

const ANY: Filter = { kind: "constant", value: true };

const RELATED: readonly (readonly [name: string, filter: Filter, ids: string])[] = [
  ["one", related("author", "one", compare("name", "eq", "Ann")), "ab"],
  ["to-one with any row", related("author", "one", ANY), "abcefg"],
  ["not one", not(related("author", "one", compare("name", "eq", "Ann"))), "cdefg"],
  ["to-one with a missing value", related("author", "one", compare("born", "isNull", true)), "cf"],
  ["some", related("reviews", "some", compare("stars", "eq", 5)), "ab"],
  ["every matches if there are no related rows", related("reviews", "every", compare("stars", "eq", 5)), "bdefg"],
  ["none", related("reviews", "none", compare("stars", "eq", 5)), "cdefg"],
  ["some of many-to-many", related("tags", "some", compare("slug", "eq", "old")), "ab"],
  ["every of many-to-many", related("tags", "every", compare("slug", "eq", "old")), "acdefg"],
  ["no related row of many-to-many", related("tags", "none", ANY), "cdefg"],
  ["two hops", related("author", "one", related("books", "some", compare("genre", "eq", "poem"))), "abcf"],
  ["related and own fields", and(related("reviews", "some", ANY), compare("price", "gt", 5)), "a"],
];

function filterCase(
  group: string,
  needs: StoreCase["needs"],
): (row: (typeof FILTERS)[number], index: number) => StoreCase {
  return ([name, filter, ids], index) => ({
    id: `${group}-${String(index + 1).padStart(2, "0")}`,
    name: `filter: ${name}`,
    needs,
    async run({ matching, list }) {
      assert.equal((await matching("book", filter)).join(""), ids);
      const { total } = await list("book", { filter, limit: 1, count: true });
      assert.equal(total, ids.length, "the total counts all rows that match");
    },
  });
}

export const filterCases: readonly StoreCase[] = [
  ...FILTERS.map(filterCase("FILTER", [])),
  ...RELATED.map(filterCase("RELATED", ["relationFilters", "links"])),
];
