import type { ListQuery, Position, Sort } from "@bifocal/core/store";
import assert from "node:assert/strict";
import { ascending, type Fixture, idsOf } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

const descending = (name: string): Sort => [{ path: [name], descending: true }, ...ascending("id")];

async function ids({ list }: Fixture, query: Partial<ListQuery>): Promise<string> {
  return idsOf(await list("book", query));
}

/** A query over books, the ids of its page, and whether there are more. */
const LISTS: readonly (readonly [name: string, query: Partial<ListQuery>, ids: string, more: boolean])[] = [
  ["by key", { sort: ascending("id") }, "abcdefg", false],
  ["by number, missing last", { sort: ascending("price", "id") }, "febadgc", false],
  ["by number descending, missing first", { sort: descending("price") }, "cadgbef", false],
  ["by text in code point order", { sort: ascending("title", "id") }, "gfacbed", false],
  ["by decimal", { sort: ascending("cost", "id"), limit: 5 }, "dfabe", true],
  ["by bigint", { sort: ascending("pages", "id"), limit: 3 }, "cba", true],
  ["by moment", { sort: ascending("at", "id"), limit: 3 }, "gdc", true],
  ["by two fields", { sort: ascending("genre", "title", "id") }, "edgacfb", false],
  ["limit", { limit: 3 }, "abc", true],
  ["limit that ends with the list", { limit: 7 }, "abcdefg", false],
  ["offset", { limit: 2, offset: 2 }, "cd", true],
  ["offset beyond the end", { limit: 2, offset: 9 }, "", false],
  ["after", { limit: 2, after: ["c"] }, "de", true],
  ["after the last row", { limit: 2, after: ["g"] }, "", false],
  ["after a missing row", { limit: 2, after: ["cc"] }, "de", true],
  ["before", { limit: 9, before: ["c"] }, "ab", false],
  ["the last rows before a row", { limit: 2, before: ["d"], fromEnd: true }, "bc", true],
  ["the last rows", { limit: 2, fromEnd: true }, "fg", true],
  ["between two positions", { limit: 9, after: ["b"], before: ["e"] }, "cd", false],
  ["after a value, by number", { sort: ascending("price", "id"), limit: 2, after: [10, "a"] }, "dg", true],
  ["after the last value, into the missing", { sort: ascending("price", "id"), after: [10, "g"] }, "c", false],
  ["after a missing value", { sort: descending("price"), limit: 2, after: [null, "c"] }, "ad", true],
  [
    "before a missing value",
    { sort: ascending("price", "id"), limit: 2, before: [null, "c"], fromEnd: true },
    "dg",
    true,
  ],
  ["filtered", { filter: { kind: "compare", field: "price", operator: "eq", value: 10 }, limit: 2 }, "ad", true],
];

const listCase = ([name, query, expected, more]: (typeof LISTS)[number], index: number): StoreCase => ({
  id: `LIST-${String(index + 1).padStart(2, "0")}`,
  name: `list: ${name}`,
  needs: [],
  async run(fixture) {
    const page = await fixture.list("book", query);
    assert.equal(idsOf(page), expected);
    assert.equal(page.more, more, "more");
  },
});

const others: readonly Omit<StoreCase, "id">[] = [
  {
    name: "list: the total counts all rows, whatever the page is",
    needs: [],
    async run({ list }) {
      assert.equal((await list("book", { limit: 1, offset: 3, count: true })).total, 7);
      assert.equal((await list("book", { limit: 1 })).total, undefined);
    },
  },
  {
    name: "list: a total counts no further than needed",
    needs: [],
    async run({ list }) {
      const filter = { kind: "compare", field: "id", operator: "ne", value: "a" } as const;
      for (const [countMost, total] of [
        [6, 6],
        [7, 7],
        [8, 7],
      ]) {
        assert.equal((await list("book", { limit: 1, count: true, countMost })).total, total);
      }
      assert.equal((await list("book", { limit: 1, count: true, countMost: 5, filter })).total, 5);
      assert.equal((await list("book", { limit: 1, count: true, countMost: 9, filter })).total, 6);
    },
  },
  {
    name: "list: paging in both directions returns every row once",
    needs: [],
    async run(fixture) {
      const sort = ascending("price", "id");
      for (const fromEnd of [false, true]) {
        let seen = "";
        for (let place: Position | undefined, more = true; more; ) {
          const from = place === undefined ? {} : fromEnd ? { before: place } : { after: place };
          const page = await fixture.list("book", { sort, limit: 2, fromEnd, ...from });
          const found = idsOf(page);
          seen = fromEnd ? found + seen : seen + found;
          const edge = fromEnd ? page.rows[0] : page.rows.at(-1);
          place = edge && [edge["price"] ?? null, edge["id"] ?? null];
          more = page.more;
        }
        assert.equal(seen, "febadgc");
      }
    },
  },
  {
    name: "list: a position survives the deletion of its row",
    needs: ["writes"],
    async run(fixture) {
      const { store, resource, context } = fixture;
      await store.delete({ resource: resource("book"), key: "c" }, context);
      assert.equal(await ids(fixture, { after: ["c"], limit: 2 }), "de");
    },
  },
  {
    name: "list: along a to-one relation, with positions",
    needs: ["relationSort"],
    async run(fixture) {
      const sort: Sort = [{ path: ["author", "name"], descending: false }, ...ascending("id")];
      const page = await fixture.list("book", { sort, limit: 4 });
      assert.equal(idsOf(page), "abcf");
      const place = page.position?.(3);
      assert.deepEqual(place, ["ben", "f"]);
      assert.equal(await ids(fixture, { sort, after: place }), "egd");
    },
  },
  {
    name: "list: by a key of several fields",
    needs: [],
    async run({ list }) {
      const page = await list("review", { limit: 2, after: ["a", "r1"] });
      assert.deepEqual(
        page.rows.map(({ bookId, by }) => [bookId, by]),
        [
          ["a", "r2"],
          ["b", "r1"],
        ],
      );
    },
  },
  {
    name: "byKeys: only existing rows, filtered, for both kinds of key",
    needs: [],
    async run({ store, resource, context }) {
      const books = await store.byKeys({ resource: resource("book"), keys: ["c", "nothing", "a"] }, context);
      assert.deepEqual(new Set(books.map(({ id }) => id)), new Set(["a", "c"]));
      const keys = [
        ["a", "r1"],
        ["a", "r9"],
        ["b", "r1"],
      ];
      const reviews = await store.byKeys({ resource: resource("review"), keys }, context);
      assert.deepEqual(
        reviews.map(({ stars }) => stars),
        [5, 5],
      );
      const filter = { kind: "compare", field: "price", operator: "gt", value: 5 } as const;
      const dear = await store.byKeys({ resource: resource("book"), keys: ["a", "b"], filter }, context);
      assert.deepEqual(
        dear.map(({ id }) => id),
        ["a"],
      );
    },
  },
  {
    name: "byKeys: numbers don't match strings",
    needs: [],
    async run({ store, resource, context }) {
      assert.equal((await store.byKeys({ resource: resource("author"), keys: [10] }, context)).length, 1);
    },
  },
  {
    name: "listPer: a page for each parent, in the order of the parents",
    needs: ["listPer"],
    async run({ store, resource, relation, context }) {
      const query = { resource: resource("book"), relation: relation("author", "books"), sort: ascending("id") };
      const pages = await store.listPer({ ...query, parents: [3, 1, 10, 2], limit: 1, count: true }, context);
      assert.deepEqual(
        pages.map(({ rows, more, total }) => [idsOf({ rows }), more, total]),
        [
          ["e", true, 2],
          ["a", true, 2],
          ["", false, 0],
          ["c", true, 2],
        ],
      );
    },
  },
  {
    name: "listPer: the total of each parent counts no further than needed",
    needs: ["listPer"],
    async run({ store, resource, relation, context }) {
      const query = { resource: resource("book"), relation: relation("author", "books"), sort: ascending("id") };
      for (const [countMost, expected] of [
        [1, [1, 0, 1]],
        [2, [2, 0, 2]],
        [3, [2, 0, 2]],
        [undefined, [2, 0, 2]],
      ] as const) {
        const asked = { ...query, parents: [3, 10, 2], limit: 1, count: true, countMost };
        const pages = await store.listPer(asked, context);
        assert.deepEqual(
          pages.map(({ total }) => total),
          expected,
        );
      }
    },
  },
  {
    name: "listPer: along links, filtered and sorted",
    needs: ["listPer", "links"],
    async run({ store, resource, relation, context }) {
      const query = { resource: resource("book"), relation: relation("tag", "books"), limit: 5 };
      const sort: Sort = [{ path: ["title"], descending: true }, ...ascending("id")];
      const pages = await store.listPer({ ...query, sort, parents: ["old", "none"] }, context);
      assert.deepEqual(
        pages.map(({ rows }) => idsOf({ rows })),
        ["ba", ""],
      );
    },
  },
];

export const listCases: readonly StoreCase[] = [
  ...LISTS.map(listCase),
  ...others.map((one, index) => ({ ...one, id: `READ-${String(index + 1).padStart(2, "0")}` })),
];
