import type {
  AggregateQuery,
  Filter,
  Json,
  ParentGroups,
  StoreGroup,
  StoreGroups,
  StoreGroupTerm,
  StoreMeasure,
} from "@bifocal/core/store";
import assert from "node:assert/strict";
import type { Fixture } from "./fixture.ts";
import type { StoreCase } from "./store-case.ts";

type Groups = readonly (readonly [keys: readonly Json[], values: readonly Json[]])[];

/** Sorts groups, because stores return them in any order. */
function sorted(groups: Groups): Groups {
  return [...groups].sort(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function listed(groups: readonly StoreGroup[]): Groups {
  return sorted(groups.map(({ keys, values }) => [keys, values]));
}

const rows: StoreMeasure = { kind: "rows" };
const of = (kind: "values" | "sum" | "min" | "max", field: string): StoreMeasure => ({ kind, field });
const by = (field: string, part?: StoreGroupTerm["part"]): StoreGroupTerm =>
  part === undefined ? { field } : { field, part };

type Case = readonly [
  name: string,
  resource: string,
  query: Pick<AggregateQuery, "groupBy" | "measures" | "filter">,
  groups: Groups,
];

const CASES: readonly Case[] = [
  [
    "all rows are one group, and missing values are ignored",
    "book",
    {
      groupBy: [],
      measures: [rows, of("values", "price"), of("sum", "price"), of("min", "price"), of("max", "price")],
    },
    [[[], [7, 6, 31.5, -1, 10]]],
  ],
  [
    "without rows, there is one group, whose values are missing",
    "book",
    {
      groupBy: [],
      measures: [
        rows,
        of("values", "price"),
        of("sum", "price"),
        of("sum", "pages"),
        of("min", "title"),
        of("max", "at"),
      ],
      filter: { kind: "compare", field: "id", operator: "eq", value: "nothing" },
    },
    [[[], [0, 0, null, null, null, null]]],
  ],
  [
    "without rows, grouping finds no groups",
    "book",
    {
      groupBy: [by("genre")],
      measures: [rows],
      filter: { kind: "compare", field: "id", operator: "eq", value: "nothing" },
    },
    [],
  ],
  [
    "sums of integers are exact",
    "book",
    { groupBy: [], measures: [of("sum", "pages"), of("max", "pages"), of("min", "pages")] },
    [[[], ["9007199254741012", "9007199254740993", "9"]]],
  ],
  [
    "sums of 32-bit integers",
    "review",
    { groupBy: [by("bookId")], measures: [rows, of("sum", "stars"), of("max", "stars")] },
    [
      [["a"], [2, "6", 5]],
      [["b"], [1, "5", 5]],
      [["c"], [1, "3", 3]],
    ],
  ],
  [
    "by an enum",
    "book",
    { groupBy: [by("genre")], measures: [rows, of("sum", "price"), of("min", "title"), of("max", "title")] },
    [
      [["essay"], [2, 10, "\uFF5E book", "\u{1F600} book"]],
      [["novel"], [3, 20, "", "Zebra"]],
      [["poem"], [2, 1.5, "100% _emma", "emma"]],
    ],
  ],
  [
    "missing values are a group of their own",
    "book",
    { groupBy: [by("authorId")], measures: [rows] },
    [
      [[1], [2]],
      [[2], [2]],
      [[3], [2]],
      [[null], [1]],
    ],
  ],
  [
    "by a number, with measures that ignore missing values",
    "book",
    { groupBy: [by("price")], measures: [rows, of("values", "at"), of("max", "at")] },
    [
      [[-1], [1, 0, null]],
      [[0], [1, 0, null]],
      [[10], [3, 2, "2026-01-01T11:00:00.000Z"]],
      [[2.5], [1, 0, null]],
      [[null], [1, 1, "2026-01-01T12:00:00.000Z"]],
    ],
  ],
  [
    "text is grouped by code point, not by letter",
    "book",
    {
      groupBy: [by("title")],
      measures: [rows],
      filter: { kind: "compare", field: "title", operator: "icontains", value: "emma" },
    },
    [
      [["100% _emma"], [1]],
      [["Emma"], [1]],
      [["emma"], [1]],
    ],
  ],
  [
    "by a boolean and an enum",
    "book",
    { groupBy: [by("sold"), by("genre")], measures: [rows] },
    [
      [[false, "essay"], [2]],
      [[false, "novel"], [3]],
      [[true, "poem"], [2]],
    ],
  ],
  [
    "by a bigint",
    "book",
    {
      groupBy: [by("pages")],
      measures: [rows],
      filter: { kind: "compare", field: "pages", operator: "isNull", value: false },
    },
    [
      [["10"], [1]],
      [["9"], [1]],
      [["9007199254740993"], [1]],
    ],
  ],
  [
    "by the year, month and day of a datetime in UTC",
    "book",
    {
      groupBy: [by("at", "year"), by("at", "month"), by("at", "day")],
      measures: [rows],
    },
    [
      [["2025", "2025-12", "2025-12-31"], [1]],
      [["2026", "2026-01", "2026-01-01"], [2]],
      [[null, null, null], [4]],
    ],
  ],
  [
    "by a datetime",
    "book",
    { groupBy: [by("at")], measures: [rows] },
    [
      [["2025-12-31T23:59:59.999Z"], [1]],
      [["2026-01-01T11:00:00.000Z"], [1]],
      [["2026-01-01T12:00:00.000Z"], [1]],
      [[null], [4]],
    ],
  ],
  [
    "by a date and its month",
    "author",
    { groupBy: [by("born"), by("born", "month")], measures: [rows, of("min", "name"), of("max", "born")] },
    [
      [
        ["1900-01-01", "1900-01"],
        [1, "Élise", "1900-01-01"],
      ],
      [
        ["1950-05-05", "1950-05"],
        [2, "Ann", "1950-05-05"],
      ],
      [
        [null, null],
        [1, "ben", null],
      ],
    ],
  ],
  [
    "only of rows that match, also along relations",
    "book",
    {
      groupBy: [by("genre")],
      measures: [rows],
      filter: {
        kind: "related",
        relation: "author",
        quantifier: "one",
        filter: { kind: "compare", field: "name", operator: "lt", value: "b" },
      },
    },
    [
      [["novel"], [1]],
      [["poem"], [1]],
    ],
  ],
];

async function run({ store, resource, context }: Fixture, [, name, query, expected]: Case): Promise<void> {
  // Without this optional method, the engine groups the rows itself.
  if (store.aggregate === undefined) return;
  const found = await store.aggregate({ resource: resource(name), limit: 100, ...query }, context);
  assert.equal(found.more, false);
  assert.deepEqual(listed(found.groups), sorted(expected));
}

const others: readonly Omit<StoreCase, "id">[] = [
  {
    name: "aggregate: no more groups than needed",
    needs: [],
    async run({ store, resource, context }) {
      if (store.aggregate === undefined) return;
      for (const [limit, more] of [
        [2, true],
        [3, false],
        [4, false],
      ] as const) {
        const query = { resource: resource("book"), groupBy: [by("genre")], measures: [rows], limit };
        const found: StoreGroups = await store.aggregate(query, context);
        assert.deepEqual([found.groups.length, found.more], [Math.min(limit, 3), more]);
      }
    },
  },
  {
    name: "aggregatePer: the groups of each parent, in the order of the parents",
    needs: [],
    async run({ store, resource, relation, context }) {
      if (store.aggregatePer === undefined) return;
      const query = { resource: resource("book"), relation: relation("author", "books"), limit: 100 };
      const measures = [rows, of("sum", "price"), of("max", "title")];
      const whole: ParentGroups = await store.aggregatePer(
        { ...query, groupBy: [], measures, parents: [3, 10, 1, 2] },
        context,
      );
      assert.deepEqual(whole.groups.map(listed), [
        [[[], [2, 10, "\uFF5E book"]]],
        [[[], [0, null, null]]],
        [[[], [2, 12.5, "emma"]]],
        [[[], [2, -1, "Zebra"]]],
      ]);
      const filter = { kind: "compare", field: "sold", operator: "eq", value: false } as const;
      const grouped: ParentGroups = await store.aggregatePer(
        { ...query, groupBy: [by("genre")], measures: [rows], parents: [3, 10, 1], filter },
        context,
      );
      assert.deepEqual(grouped.groups.map(listed), [
        [
          [["essay"], [1]],
          [["novel"], [1]],
        ],
        [],
        [[["novel"], [1]]],
      ]);
    },
  },
  {
    name: "aggregatePer: along links",
    needs: ["links"],
    async run({ store, resource, relation, context }) {
      if (store.aggregatePer === undefined) return;
      const query = { resource: resource("book"), relation: relation("tag", "books"), limit: 100 };
      const found: ParentGroups = await store.aggregatePer(
        { ...query, groupBy: [by("sold")], measures: [rows, of("sum", "pages")], parents: ["old", "none", "new"] },
        context,
      );
      assert.deepEqual(found.groups.map(listed), [
        [
          [[false], [1, "9007199254740993"]],
          [[true], [1, "10"]],
        ],
        [],
        [[[true], [1, "10"]]],
      ]);
    },
  },
  {
    name: "aggregatePer: no more groups than needed for all parents together",
    needs: [],
    async run({ store, resource, relation, context }) {
      if (store.aggregatePer === undefined) return;
      const query = { resource: resource("book"), relation: relation("author", "books"), measures: [rows] };
      for (const [limit, more] of [
        [4, true],
        [5, true],
        [6, false],
      ] as const) {
        const found: ParentGroups = await store.aggregatePer(
          { ...query, groupBy: [by("genre")], parents: [1, 2, 3], limit },
          context,
        );
        assert.equal(found.more, more);
      }
    },
  },
];

const related: readonly Omit<StoreCase, "id">[] = [
  {
    name: "aggregate: by fields of a to-one relation, with hidden and missing rows in one group",
    needs: ["relatedGroups"],
    async run({ store, resource, relation, context }) {
      const author = relation("book", "author");
      const groups = async (groupBy: readonly StoreGroupTerm[], filter?: Filter): Promise<Groups> => {
        const query = { resource: resource("book"), groupBy, measures: [rows, of("sum", "price")], limit: 100 };
        return listed((await store.aggregate?.({ ...query, filter }, context))?.groups ?? []);
      };
      assert.deepEqual(
        await groups([{ field: "name", relation: author }]),
        sorted([
          [["Ann"], [2, 12.5]],
          [["ben"], [2, -1]],
          [["\u00C9lise"], [2, 10]],
          [[null], [1, 10]],
        ]),
      );
      const isVisible: Filter = { kind: "compare", field: "name", operator: "lt", value: "b" };
      const isNovel: Filter = { kind: "compare", field: "genre", operator: "eq", value: "novel" };
      const hidden = { field: "born", part: "year", relation: author, filter: isVisible } as const;
      assert.deepEqual(
        await groups([hidden]),
        sorted([
          [["1950"], [2, 12.5]],
          [[null], [5, 19]],
        ]),
      );
      assert.deepEqual(
        await groups([by("sold"), hidden, { field: "id", relation: author }], isNovel),
        sorted([
          [
            [false, "1950", 1],
            [1, 10],
          ],
          [
            [false, null, 2],
            [1, null],
          ],
          [
            [false, null, 3],
            [1, 10],
          ],
        ]),
      );
    },
  },
  {
    name: "aggregatePer: by fields of a to-one relation",
    needs: ["relatedGroups", "links"],
    async run({ store, resource, relation, context }) {
      const isVisible: Filter = { kind: "compare", field: "name", operator: "lt", value: "b" };
      const groupBy = [{ field: "name", relation: relation("book", "author"), filter: isVisible }];
      const query = { resource: resource("book"), groupBy, measures: [rows], limit: 100 };
      const far = { ...query, relation: relation("tag", "books"), parents: ["old", "none", "new"] };
      const found = await store.aggregatePer?.(far, context);
      assert.deepEqual(found?.groups.map(listed), [[[["Ann"], [2]]], [], [[["Ann"], [1]]]]);
      const own = { ...query, relation: relation("author", "books"), parents: [1, 2] };
      const back = await store.aggregatePer?.(own, context);
      assert.deepEqual(back?.groups.map(listed), [[[["Ann"], [2]]], [[[null], [2]]]]);
    },
  },
];

export const aggregateCases: readonly StoreCase[] = [
  ...CASES.map(
    (one): Omit<StoreCase, "id"> => ({
      name: `aggregate: ${one[0]}`,
      needs: [],
      run: (fixture) => run(fixture, one),
    }),
  ),
  ...others,
  ...related,
].map((one, index) => ({ ...one, id: `GROUP-${String(index + 1).padStart(2, "0")}` }));
