import type { Filter, Scored, Sort } from "@bifocal/core/store";
import assert from "node:assert/strict";
import { ascending, idsOf } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

const hasWord = (field: string, value: string): Filter => ({ kind: "compare", field, operator: "hasWord", value });
const startsWord = (field: string, value: string): Filter => ({
  kind: "compare",
  field,
  operator: "hasWordStart",
  value,
});
const byAuthor = (filter: Filter): Filter => ({ kind: "related", relation: "author", quantifier: "one", filter });
const or = (...filters: readonly Filter[]): Filter => ({ kind: "or", filters });

/** A condition on books, and the ids that match, one letter each. */
const WORDS: readonly (readonly [name: string, filter: Filter, ids: string])[] = [
  ["a word in any case", hasWord("title", "emma"), "abf"],
  ["not a part of a word", hasWord("title", "emm"), ""],
  ["the start of a word", startsWord("title", "emm"), "abf"],
  ["not the middle of a word", startsWord("title", "mma"), ""],
  ["a word between symbols", hasWord("title", "book"), "de"],
  ["a number", hasWord("title", "100"), "f"],
  ["a word without its accent", byAuthor(hasWord("name", "elise")), "eg"],
  ["the start of a word without its accent", byAuthor(startsWord("name", "zo")), ""],
  ["a word here or there", or(hasWord("title", "zebra"), byAuthor(hasWord("name", "ann"))), "abc"],
  ["no word in a missing text", hasWord("isbn", "x"), ""],
];

const points = (filter: Filter, count: number): Scored => ({ filter, points: count });
/** Whole words in the title count 4, other starts of words 3, and the name of the author 2. */
const RELEVANCE: Sort = [
  {
    path: ["~relevance"],
    descending: true,
    score: [
      [points(hasWord("title", "emma"), 4), points(byAuthor(hasWord("name", "ben")), 2)],
      [points(startsWord("title", "zeb"), 3), points(startsWord("title", "book"), 1)],
    ],
  },
  ...ascending("id"),
];

export const searchCases: readonly StoreCase[] = [
  ...WORDS.map(
    ([name, filter, ids], index): StoreCase => ({
      id: `SEARCH-${String(index + 1).padStart(2, "0")}`,
      name: `search: ${name}`,
      needs: ["search", "relationFilters"],
      run: async ({ matching }) => assert.equal((await matching("book", filter)).join(""), ids),
    }),
  ),
  {
    id: "SEARCH-20",
    name: "search: sorts by the sum of the points, and pages by it in both directions",
    needs: ["search", "relationFilters"],
    async run({ list }) {
      const all = await list("book", { sort: RELEVANCE });
      assert.equal(idsOf(all), "cabfdeg");
      assert.deepEqual(
        all.rows.map((_, index) => all.position?.(index)),
        [
          [5, "c"],
          [4, "a"],
          [4, "b"],
          [4, "f"],
          [1, "d"],
          [1, "e"],
          [0, "g"],
        ],
      );
      assert.equal(idsOf(await list("book", { sort: RELEVANCE, limit: 3, after: [4, "a"] })), "bfd");
      const before = { sort: RELEVANCE, limit: 2, before: [1, "d"], fromEnd: true } as const;
      assert.equal(idsOf(await list("book", before)), "bf");
    },
  },
  {
    id: "SEARCH-21",
    name: "search: sorts the rows of each parent by the sum of the points",
    needs: ["search", "relationFilters", "listPer"],
    async run({ store, context, resource, relation }) {
      const query = { resource: resource("book"), relation: relation("author", "books"), sort: RELEVANCE, limit: 1 };
      const pages = await store.listPer({ ...query, parents: [2, 1, 3, 10] }, context);
      assert.deepEqual(
        pages.map((page) => [idsOf(page), page.more, page.rows.length > 0 ? page.position?.(0) : undefined]),
        [
          ["c", true, [5, "c"]],
          ["a", true, [4, "a"]],
          ["e", true, [1, "e"]],
          ["", false, undefined],
        ],
      );
    },
  },
  {
    id: "SEARCH-22",
    name: "search: groups the rows that have a word",
    needs: ["search", "relationFilters"],
    async run({ store, context, resource }) {
      if (store.aggregate === undefined) return;
      const filter = or(startsWord("title", "emm"), byAuthor(hasWord("name", "elise")));
      const query = {
        resource: resource("book"),
        groupBy: [],
        measures: [{ kind: "rows" }],
        filter,
        limit: 10,
      } as const;
      const groups = await store.aggregate(query, context);
      assert.deepEqual(groups, { groups: [{ keys: [], values: [5] }], more: false });
    },
  },
  {
    id: "SEARCH-23",
    name: "search: groups the rows of each parent that have a word",
    needs: ["search"],
    async run({ store, context, resource, relation }) {
      if (store.aggregatePer === undefined) return;
      const parts = { resource: resource("book"), relation: relation("author", "books"), parents: [1, 2, 3] };
      const filter = startsWord("title", "emm");
      const query = { ...parts, groupBy: [], measures: [{ kind: "rows" }], filter, limit: 10 } as const;
      const read = await store.aggregatePer(query, context);
      assert.deepEqual(
        read.groups.map((groups) => groups.map(({ values }) => values)),
        [[[2]], [[1]], [[0]]],
      );
    },
  },
  {
    id: "SEARCH-24",
    name: "search: writes a row only if it has a word",
    needs: ["search", "writes"],
    async run({ store, context, resource }) {
      const book = resource("book");
      const update = async (key: string, word: string) =>
        (await store.update({ resource: book, key, set: { price: 3 }, where: hasWord("title", word) }, context)).kind;
      assert.equal(await update("a", "zebra"), "absent");
      assert.equal(await update("a", "emma"), "done");
      const remove = async (key: string, where: Filter) =>
        (await store.delete({ resource: book, key, where }, context)).kind;
      assert.equal(await remove("f", startsWord("title", "mma")), "absent");
      assert.equal(await remove("f", startsWord("title", "emm")), "done");
    },
  },
];
