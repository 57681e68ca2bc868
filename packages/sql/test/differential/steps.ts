import type {
  Filter,
  StoreGroupTerm,
  Json,
  Key,
  NamedRelatedValue,
  Row,
  Sort,
  StoreMeasure,
} from "@bifocal/core/store";
import fc from "fast-check";
import type { World } from "./field-filter.ts";
import { searchOf } from "./search.ts";
import { filterOf, livingFilter, sortOf } from "./filter.ts";
import { relatedValuesOf } from "./related-fields.ts";
import { keyValuesOf, valuesOf } from "./values.ts";

/** One call of a store as plain data. Resources and relations are given by name. */
export type Step =
  | ReadStep
  | WriteStep
  | { readonly kind: "transaction"; readonly steps: readonly Step[]; readonly fails: boolean };

export type ReadStep =
  | {
      readonly kind: "byKeys";
      readonly of: string;
      readonly keys: readonly Key[];
      readonly filter: Filter | undefined;
      readonly relatedValues: readonly NamedRelatedValue[];
    }
  | ({ readonly kind: "list"; readonly of: string } & PageStep)
  | ({
      readonly kind: "listPer";
      readonly of: string;
      readonly relation: string;
      readonly parents: readonly Key[];
    } & PageStep)
  | ({ readonly kind: "aggregate"; readonly of: string } & GroupStep)
  | ({
      readonly kind: "aggregatePer";
      readonly of: string;
      readonly relation: string;
      readonly parents: readonly Key[];
    } & GroupStep);

/** The groups of the rows, and what to compute from them. */
export interface GroupStep {
  readonly filter: Filter | undefined;
  readonly groupBy: readonly StoreGroupTerm[];
  readonly measures: readonly StoreMeasure[];
}

export type WriteStep =
  | { readonly kind: "insert"; readonly of: string; readonly rows: readonly Row[] }
  | ({
      readonly kind: "update";
      readonly of: string;
      readonly key: Key;
      readonly set: Row;
      readonly check: Filter | undefined;
    } & Guards)
  | ({ readonly kind: "delete"; readonly of: string; readonly key: Key } & Guards)
  | {
      readonly kind: "link" | "unlink";
      readonly of: string;
      readonly relation: string;
      readonly from: Key;
      readonly to: Key;
    };

interface Guards {
  readonly where: Filter | undefined;
  readonly ifMatch: "current" | "stale" | "*" | undefined;
}

export interface PageStep {
  readonly filter: Filter | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number | undefined;
  /** The index of this row in the whole list; `undefined` for no bound. */
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly fromEnd: boolean;
  readonly count: boolean;
  readonly relatedValues: readonly NamedRelatedValue[];
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 });

export function keyArbitrary(world: World, name: string): fc.Arbitrary<Key> {
  return valuesIn(world, name, world.resource(name).key);
}

/** Generates values of some fields as references hold them. */
function valuesIn(world: World, name: string, fields: readonly string[]): fc.Arbitrary<Key> {
  const parts = fields.map((field) =>
    keyValuesOf(world.fields(name).find((one) => one.name === field)?.kind ?? "text"),
  );
  return fc.tuple(...parts).map((values) => (values.length === 1 ? values[0] : values) as Key);
}

export function rowOf(world: World, name: string): fc.Arbitrary<Row> {
  const { key } = world.resource(name);
  const entries = world
    .fields(name)
    .map(({ name: field, kind, nullable, to, isTenant }): [string, fc.Arbitrary<Json>] => {
      const isFree = to === undefined && isTenant !== true && !key.includes(field);
      const values = isFree ? valuesOf(kind) : keyValuesOf(kind);
      return [field, nullable ? fc.option(values, { freq: 3 }) : values];
    });
  return fc.record(Object.fromEntries(entries));
}

function pageOf(world: World, name: string): fc.Arbitrary<PageStep> {
  const search = searchOf(world, name)?.map(({ filter }) => filter);
  return fc.record({
    filter: search === undefined ? maybe(filterOf(world, name, 2)) : fc.oneof(maybe(filterOf(world, name, 2)), search),
    sort: sortOf(world, name),
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.option(fc.nat(4), { nil: undefined, freq: 2 }),
    after: fc.option(fc.nat(10), { nil: undefined, freq: 2 }),
    before: fc.option(fc.nat(10), { nil: undefined, freq: 2 }),
    fromEnd: fc.boolean(),
    count: fc.boolean(),
    relatedValues: relatedValuesOf(world, name),
  });
}

/** Kinds of values in which the sums of databases are exact, whatever their order. */
const SUMMED: ReadonlySet<string> = new Set(["integer", "bigint", "decimal"]);
const ORDERED: ReadonlySet<string> = new Set(["string", "integer", "number", "bigint", "decimal", "date", "datetime"]);
const GROUPED: ReadonlySet<string> = new Set([...ORDERED, "uuid", "enum", "boolean"]);

function groupsOf(world: World, name: string): fc.Arbitrary<GroupStep> {
  const fields = [...world.resource(name).fields.values()];
  const own = termsOf(world, name);
  const far = [...world.resource(name).relations.values()].flatMap((relation) =>
    relation.many ? [] : termsOf(world, relation.target).map((term) => ({ ...term, relation })),
  );
  const terms: readonly StoreGroupTerm[] = [...own, ...far];
  const measures = fields.flatMap(({ name: field, type: { kind } }): StoreMeasure[] => [
    { kind: "values", field },
    ...(SUMMED.has(kind) ? [{ kind: "sum" as const, field }] : []),
    ...(ORDERED.has(kind)
      ? [
          { kind: "min" as const, field },
          { kind: "max" as const, field },
        ]
      : []),
  ]);
  return fc.record({
    filter: maybe(filterOf(world, name, 2)),
    groupBy: fc
      .shuffledSubarray([...terms], { maxLength: Math.min(2, terms.length) })
      .chain((chosen) => fc.tuple(...chosen.map((term) => withFilter(world, term)))),
    measures: fc.shuffledSubarray([{ kind: "rows" as const }, ...measures], { minLength: 1 }),
  });
}

function termsOf(world: World, name: string): readonly StoreGroupTerm[] {
  const fields = [...world.resource(name).fields.values()];
  return fields.flatMap(({ name: field, type: { kind } }): StoreGroupTerm[] => {
    if (kind !== "date" && kind !== "datetime") return GROUPED.has(kind) ? [{ field }] : [];
    return [{ field }, ...(["year", "month", "day"] as const).map((part) => ({ field, part }))];
  });
}

/** Hides some related rows, and those that are deleted. */
function withFilter(world: World, term: StoreGroupTerm): fc.Arbitrary<StoreGroupTerm> {
  const { relation } = term;
  if (relation === undefined) return fc.constant(term);
  const living = livingFilter(world, world.resource(relation.source), relation.name);
  return maybe(filterOf(world, relation.target, 1)).map((drawn) => {
    const filters = [living, drawn].filter((one) => one !== undefined);
    return { ...term, filter: filters.length === 0 ? undefined : { kind: "and", filters } };
  });
}

function readOf(world: World, name: string): fc.Arbitrary<ReadStep> {
  const of = fc.constant(name);
  const keys = fc.uniqueArray(keyArbitrary(world, name), { maxLength: 5, selector: (key) => JSON.stringify(key) });
  const perParent = [...world.resource(name).relations.values()].map((relation) => {
    return fc
      .record({
        kind: fc.constant("listPer" as const),
        of,
        relation: fc.constant(relation.name),
        parents: fc.uniqueArray(valuesIn(world, name, relation.local), {
          minLength: 1,
          maxLength: 4,
          selector: (value) => JSON.stringify(value),
        }),
        page: pageOf(world, relation.target),
      })
      .map(({ page, ...rest }) => ({ ...rest, ...page }));
  });
  const groupsPer = [...world.resource(name).relations.values()].map((relation) => {
    const parents = fc.uniqueArray(valuesIn(world, name, relation.local), {
      minLength: 1,
      maxLength: 4,
      selector: (value) => JSON.stringify(value),
    });
    return fc.tuple(parents, groupsOf(world, relation.target)).map(([values, groups]) => {
      return { kind: "aggregatePer" as const, of: name, relation: relation.name, parents: values, ...groups };
    });
  });
  return fc.oneof(
    {
      weight: 2,
      arbitrary: groupsOf(world, name).map((groups) => ({ kind: "aggregate" as const, of: name, ...groups })),
    },
    ...groupsPer.map((arbitrary) => ({ weight: 1, arbitrary })),
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("byKeys" as const),
        of,
        keys,
        filter: maybe(filterOf(world, name, 1)),
        relatedValues: relatedValuesOf(world, name),
      }),
    },
    { weight: 4, arbitrary: pageOf(world, name).map((page) => ({ kind: "list" as const, of: name, ...page })) },
    ...perParent.map((arbitrary) => ({ weight: 2, arbitrary })),
  );
}

function writeOf(world: World, name: string): fc.Arbitrary<WriteStep> {
  const of = fc.constant(name);
  const key = keyArbitrary(world, name);
  const guards = {
    where: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: filterOf(world, name, 1) },
    ),
    ifMatch: fc.constantFrom(undefined, undefined, undefined, "current" as const, "stale" as const, "*" as const),
  };
  const set = fc
    .tuple(rowOf(world, name), fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }))
    .map(([row, chosen]) => {
      const keyed = new Set(world.resource(name).key);
      // Keys also change, but rarely.
      return Object.fromEntries(
        Object.entries(row).filter(([field], at) => chosen[at] && (!keyed.has(field) || chosen[19 - at])),
      );
    });
  const links = [...world.resource(name).relations.values()]
    .filter(({ through }) => through !== undefined)
    .map((relation) =>
      fc.record({
        kind: fc.constantFrom("link" as const, "link" as const, "unlink" as const),
        of,
        relation: fc.constant(relation.name),
        from: keyArbitrary(world, name),
        to: keyArbitrary(world, relation.target),
      }),
    );
  return fc.oneof(
    fc.record({
      kind: fc.constant("insert" as const),
      of,
      rows: fc.array(rowOf(world, name), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("update" as const),
      of,
      key,
      set,
      check: maybe(filterOf(world, name, 1)),
      ...guards,
    }),
    fc.record({ kind: fc.constant("delete" as const), of, key, ...guards }),
    ...links,
  );
}

/** Generates calls of a store, in the order in which they are made. */
export function stepsOf(world: World, names: readonly string[]): fc.Arbitrary<readonly Step[]> {
  const one = fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...names.map((name) => readOf(world, name))) },
    { weight: 2, arbitrary: fc.oneof(...names.map((name) => writeOf(world, name))) },
  );
  const transaction = fc.record({
    kind: fc.constant("transaction" as const),
    steps: fc.array(one, { minLength: 1, maxLength: 4 }),
    fails: fc.boolean(),
  });
  return fc.array(fc.oneof({ weight: 8, arbitrary: one }, { weight: 1, arbitrary: transaction }), {
    minLength: 6,
    maxLength: 24,
    size: "max",
  });
}

/** Generates the initial rows of a table, inserted individually because some may conflict, and links between them. */
export function fillOf(world: World, name: string): fc.Arbitrary<readonly Step[]> {
  const rows = fc.array(rowOf(world, name), { maxLength: 10, size: "max" });
  const links = [...world.resource(name).relations.values()]
    .filter(({ through, source }) => through !== undefined && source === name)
    .map((relation) => {
      const pair = fc.tuple(keyArbitrary(world, name), keyArbitrary(world, relation.target));
      return fc
        .array(pair, { maxLength: 8, size: "max" })
        .map((pairs) =>
          pairs.map(([from, to]) => ({ kind: "link" as const, of: name, relation: relation.name, from, to })),
        );
    });
  return fc
    .tuple(rows, ...links)
    .map(([own, ...linked]) => [
      ...own.map((row): Step => ({ kind: "insert", of: name, rows: [row] })),
      ...linked.flat(),
    ]);
}
