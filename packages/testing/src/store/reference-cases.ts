import type { Filter, Json, Key, Operator, Sort } from "@bifocal/core/store";
import assert from "node:assert/strict";
import { ascending, type Fixture, idsOf } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

const compare = (field: string, operator: Operator, value: Json): Filter => ({
  kind: "compare",
  field,
  operator,
  value,
});
const related = (relation: string, quantifier: "one" | "some" | "every" | "none", filter: Filter): Filter => ({
  kind: "related",
  relation,
  quantifier,
  filter,
});
const ANY: Filter = { kind: "constant", value: true };

/** A filter over copies along a reference of two fields or to a unique field, and the ids that match. */
const FILTERS: readonly (readonly [name: string, filter: Filter, ids: string])[] = [
  ["several fields", related("rack", "one", compare("height", "gte", 20)), "klm"],
  ["several fields, negated", { kind: "not", filter: related("rack", "one", compare("height", "gt", 20)) }, "mn"],
  ["several fields, one of them missing", { kind: "not", filter: related("rack", "one", ANY) }, "n"],
  ["a unique field", related("book", "one", compare("genre", "eq", "poem")), "km"],
  ["a unique field that is missing", { kind: "not", filter: related("book", "one", ANY) }, "ln"],
  ["both", { kind: "and", filters: [related("rack", "one", ANY), related("book", "one", ANY)] }, "km"],
];

const filterCase = ([name, filter, expected]: (typeof FILTERS)[number]): Omit<StoreCase, "id"> => ({
  name: `reference: filter along ${name}`,
  needs: ["relationFilters"],
  async run({ list }) {
    assert.equal(idsOf(await list("copy", { filter })), expected);
  },
});

/** Links quotes to racks, whose keys have two fields each. */
const QUOTES: readonly (readonly [rack: Key, review: Key])[] = [
  [
    ["A", 1],
    ["a", "r1"],
  ],
  [
    ["A", 1],
    ["b", "r1"],
  ],
  [
    ["B", 1],
    ["a", "r1"],
  ],
];

async function linkQuotes({ store, relation, context }: Fixture): Promise<void> {
  for (const [from, to] of QUOTES) await store.link({ relation: relation("rack", "quotes"), from, to }, context);
}

const others: readonly Omit<StoreCase, "id">[] = [
  {
    name: "reference: to-many filters over several fields",
    needs: ["relationFilters"],
    async run({ matching }) {
      const copies = (quantifier: "some" | "every" | "none") =>
        matching("rack", related("copies", quantifier, compare("isbn", "eq", "1")));
      assert.deepEqual(await copies("some"), [
        ["A", 1],
        ["B", 1],
      ]);
      assert.deepEqual(await copies("every"), [
        ["A", 2],
        ["B", 1],
        ["B,1", 1],
      ]);
      assert.deepEqual(await copies("none"), [
        ["A", 2],
        ["B,1", 1],
      ]);
      assert.deepEqual(await matching("book", related("copies", "some", ANY)), ["f"]);
    },
  },
  {
    name: "reference: sort along several fields, with positions",
    needs: ["relationSort"],
    async run({ list }) {
      const sort: Sort = [{ path: ["rack", "height"], descending: false }, ...ascending("id")];
      const page = await list("copy", { sort, limit: 2 });
      assert.equal(idsOf(page), "mk");
      assert.deepEqual(page.position?.(1), [30, "k"]);
      assert.equal(idsOf(await list("copy", { sort, after: [30, "k"] })), "ln");
    },
  },
  {
    name: "reference: listPer over several fields and over a unique field",
    needs: ["listPer"],
    async run({ store, resource, relation, context }) {
      const parents: readonly Key[] = [
        ["B", 1],
        ["A", 2],
        ["A", 1],
        ["B,1", 1],
      ];
      const query = { resource: resource("copy"), sort: ascending("id"), limit: 1, count: true };
      const pages = await store.listPer({ ...query, relation: relation("rack", "copies"), parents }, context);
      assert.deepEqual(
        pages.map(({ rows, more, total }) => [idsOf({ rows }), more, total]),
        [
          ["m", false, 1],
          ["", false, 0],
          ["k", true, 2],
          ["", false, 0],
        ],
      );
      const byIsbn = { ...query, relation: relation("book", "copies"), parents: ["2", "1"], countMost: 1 };
      assert.deepEqual(
        (await store.listPer(byIsbn, context)).map(({ rows, total }) => [idsOf({ rows }), total]),
        [
          ["", 0],
          ["k", 1],
        ],
      );
    },
  },
  {
    name: "reference: links between keys of several fields",
    needs: ["links", "listPer", "relationFilters"],
    async run(fixture) {
      const { store, resource, relation, context, matching } = fixture;
      await linkQuotes(fixture);
      const [from, to] = QUOTES[0] as (typeof QUOTES)[number];
      const command = { relation: relation("rack", "quotes"), from, to };
      assert.equal(await store.link(command, context), false);
      assert.deepEqual(await matching("rack", related("quotes", "some", compare("stars", "eq", 5))), [
        ["A", 1],
        ["B", 1],
      ]);
      const query = { resource: resource("review"), relation: relation("rack", "quotes"), limit: 5 };
      const read = async () => {
        const parents: readonly Key[] = [
          ["A", 1],
          ["A", 2],
        ];
        const pages = await store.listPer({ ...query, sort: ascending("bookId", "by"), parents }, context);
        return pages.map(({ rows }) => rows.map(({ bookId, by }) => [bookId, by]));
      };
      assert.deepEqual(await read(), [
        [
          ["a", "r1"],
          ["b", "r1"],
        ],
        [],
      ]);
      assert.equal(await store.unlink(command, context), true);
      assert.equal(await store.unlink(command, context), false);
      assert.deepEqual(await read(), [[["b", "r1"]], []]);
    },
  },
  {
    name: "reference: a transaction sees its own changes along several fields",
    needs: ["transactions", "relationFilters", "writes"],
    async run({ store, resource, relation, context }) {
      await store.transaction(async (within) => {
        await within.update({ resource: resource("copy"), key: "l", set: { slot: 2 } }, context);
        const copies = { resource: resource("copy"), relation: relation("rack", "copies"), sort: ascending("id") };
        const parents: readonly Key[] = [
          ["A", 1],
          ["A", 2],
        ];
        const pages = await within.listPer({ ...copies, parents, limit: 5 }, context);
        assert.deepEqual(pages.map(idsOf), ["k", "l"]);
        const filter = related("rack", "one", compare("height", "eq", 10));
        const found = await within.list(
          { resource: resource("copy"), sort: ascending("id"), limit: 5, filter },
          context,
        );
        assert.equal(idsOf(found), "l");
      }, context);
    },
  },
];

/** Relations over keys of several fields and over unique fields. */
export const referenceCases: readonly StoreCase[] = [...FILTERS.map(filterCase), ...others].map((one, index) => ({
  id: `REF-${String(index + 1).padStart(2, "0")}`,
  ...one,
}));
