import type { Filter, Json, Key, Row, Sort } from "@bifocal/core/store";
import fc from "fast-check";
import { filterOf, sortOf, type World } from "./filter.ts";
import { valuesOf } from "./values.ts";

/** One call of a store as plain data. Resources and relations are given by name. */
export type Step =
  | ReadStep
  | WriteStep
  | { readonly kind: "transaction"; readonly steps: readonly Step[]; readonly fails: boolean };

export type ReadStep =
  | { readonly kind: "byKeys"; readonly of: string; readonly keys: readonly Key[]; readonly filter: Filter | undefined }
  | ({ readonly kind: "list"; readonly of: string } & PageStep)
  | ({
      readonly kind: "listPer";
      readonly of: string;
      readonly relation: string;
      readonly parents: readonly (string | number)[];
    } & PageStep);

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
      readonly from: string | number;
      readonly to: string | number;
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
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

export function keyArbitrary(world: World, name: string): fc.Arbitrary<Key> {
  const { key } = world.resource(name);
  const parts = key.map((field) => valuesOf(world.fields(name).find((one) => one.name === field)?.kind ?? "text"));
  return fc.tuple(...parts).map((values) => (values.length === 1 ? values[0] : values) as Key);
}

export function rowOf(world: World, name: string): fc.Arbitrary<Row> {
  const entries = world.fields(name).map(({ name: field, kind, nullable }): [string, fc.Arbitrary<Json>] => {
    const values = valuesOf(kind);
    return [field, nullable ? fc.option(values, { freq: 3 }) : values];
  });
  return fc.record(Object.fromEntries(entries));
}

function pageOf(world: World, name: string): fc.Arbitrary<PageStep> {
  return fc.record({
    filter: maybe(filterOf(world, name, 2)),
    sort: sortOf(world, name),
    limit: fc.integer({ min: 1, max: 6 }),
    offset: fc.option(fc.nat(4), { nil: undefined, freq: 2 }),
    after: fc.option(fc.nat(10), { nil: undefined, freq: 2 }),
    before: fc.option(fc.nat(10), { nil: undefined, freq: 2 }),
    fromEnd: fc.boolean(),
    count: fc.boolean(),
  });
}

function readOf(world: World, name: string): fc.Arbitrary<ReadStep> {
  const of = fc.constant(name);
  const keys = fc.uniqueArray(keyArbitrary(world, name), { maxLength: 5, selector: (key) => JSON.stringify(key) });
  const perParent = [...world.resource(name).relations.values()].map((relation) => {
    const local = world.fields(name).find((field) => field.name === relation.local)?.kind ?? "text";
    return fc
      .record({
        kind: fc.constant("listPer" as const),
        of,
        relation: fc.constant(relation.name),
        parents: fc.uniqueArray(valuesOf(local) as fc.Arbitrary<string | number>, { minLength: 1, maxLength: 4 }),
        page: pageOf(world, relation.target),
      })
      .map(({ page, ...rest }) => ({ ...rest, ...page }));
  });
  return fc.oneof(
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("byKeys" as const), of, keys, filter: maybe(filterOf(world, name, 1)) }),
    },
    { weight: 4, arbitrary: pageOf(world, name).map((page) => ({ kind: "list" as const, of: name, ...page })) },
    ...perParent.map((arbitrary) => ({ weight: 2, arbitrary })),
  );
}

function writeOf(world: World, name: string): fc.Arbitrary<WriteStep> {
  const of = fc.constant(name);
  const key = keyArbitrary(world, name);
  const guards = {
    where: fc.option(filterOf(world, name, 1), { nil: undefined, freq: 2 }),
    ifMatch: fc.constantFrom(undefined, undefined, "current" as const, "stale" as const, "*" as const),
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
        from: keyArbitrary(world, name) as fc.Arbitrary<string | number>,
        to: keyArbitrary(world, relation.target) as fc.Arbitrary<string | number>,
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
          pairs.map(([from, to]) => ({ kind: "link" as const, of: name, relation: relation.name, from, to }) as Step),
        );
    });
  return fc
    .tuple(rows, ...links)
    .map(([own, ...linked]) => [
      ...own.map((row): Step => ({ kind: "insert", of: name, rows: [row] })),
      ...linked.flat(),
    ]);
}
