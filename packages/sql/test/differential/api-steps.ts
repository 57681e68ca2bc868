import type { Json, Key, Row } from "@bifocal/core/store";
import fc from "fast-check";
import { type CallerName, CALLERS, shopOfCaller } from "./callers.ts";
import type { World } from "./field-filter.ts";
import { keyArbitrary, rowOf } from "./steps.ts";

/** One call of the API as plain data. */
export type ApiCall = {
  readonly who: CallerName;
  readonly of: string;
  readonly key: Key;
} & (
  | { readonly kind: "create"; readonly row: Row }
  | { readonly kind: "update"; readonly row: Row; readonly chosen: readonly boolean[] }
  | { readonly kind: "replace"; readonly row: Row }
  | { readonly kind: "delete" | "restore" | "deleteMany" | "count" | "history" }
  | {
      readonly kind: "get" | "list";
      readonly deleted: "with" | "only" | undefined;
      readonly related: Quantified | undefined;
    }
  | { readonly kind: "link" | "unlink"; readonly relation: string; readonly other: Key }
);

/** Calls in one transaction, which is committed unless a call fails. */
export interface ApiTransaction {
  readonly kind: "transaction";
  readonly who: CallerName;
  readonly calls: readonly ApiCall[];
  readonly isRolledBack: boolean;
}

export type ApiStep = ApiCall | ApiTransaction;

/** A condition on whether a row has related rows. */
interface Quantified {
  readonly relation: string;
  readonly quantifier: "some" | "none";
}

const own = fc.constantFrom<CallerName>("ann", "ann", "bob", "eve", "eve");
const anyone = fc.oneof(
  { weight: 8, arbitrary: own },
  { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(CALLERS) as CallerName[])) },
);

/** A call whose keys and references are numbers of rows that the first calls create. */
interface Drawn {
  readonly step: ApiCall;
  readonly picks: readonly number[];
}

/** The rows that the first calls create. */
type Created = ReadonlyMap<string, readonly Extract<ApiCall, { readonly kind: "create" }>[]>;

const picks = fc.array(fc.nat(), { minLength: 4, maxLength: 4 });

function createOf(world: World, name: string, who: fc.Arbitrary<CallerName>) {
  return fc.record({
    kind: fc.constant("create" as const),
    who,
    of: fc.constant(name),
    key: keyArbitrary(world, name),
    row: rowOf(world, name),
  });
}

function stepOf(world: World, name: string): fc.Arbitrary<ApiCall> {
  const resource = world.resource(name);
  const base = { who: anyone, of: fc.constant(name), key: keyArbitrary(world, name) };
  const relations = [...resource.relations.values()];
  const many = relations.filter((one) => one.many).map((one) => one.name);
  const related = fc.record({
    relation: fc.nat().map((at) => many[at % many.length] as string),
    quantifier: fc.constantFrom("some" as const, "none" as const),
  });
  const isKept = resource.softDelete !== undefined;
  const plain = [
    "delete",
    "count",
    ...(resource.history === undefined ? [] : ["history"]),
    ...(isKept ? ["delete", "restore", "restore", "deleteMany"] : []),
  ] as ("delete" | "count" | "history" | "restore" | "deleteMany")[];
  const links = relations
    .filter(({ through }) => through !== undefined)
    .map((relation) =>
      fc.record({
        ...base,
        kind: fc.constantFrom("link" as const, "link" as const, "unlink" as const),
        relation: fc.constant(relation.name),
        other: keyArbitrary(world, relation.target),
      }),
    );
  const read = fc.record({
    ...base,
    kind: fc.constantFrom("get" as const, "list" as const),
    deleted: isKept ? fc.constantFrom(undefined, "with" as const, "only" as const) : fc.constant(undefined),
    related: many.length === 0 ? fc.constant(undefined) : fc.option(related, { nil: undefined, freq: 2 }),
  });
  const update = fc.record({
    ...base,
    kind: fc.constant("update" as const),
    row: rowOf(world, name),
    chosen: fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
  });
  const replace = fc.record({ ...base, kind: fc.constant("replace" as const), row: rowOf(world, name) });
  return fc.oneof(
    { weight: 1, arbitrary: createOf(world, name, anyone) },
    { weight: 3, arbitrary: update },
    { weight: 2, arbitrary: replace },
    { weight: isKept ? 4 : 2, arbitrary: fc.record({ ...base, kind: fc.constantFrom(...plain) }) },
    { weight: 2, arbitrary: read },
    ...links.map((arbitrary) => ({ weight: 2, arbitrary })),
  );
}

/**
 * Generates calls of an API: first some that create rows, then others that mostly name these rows, alone and in
 * transactions, and at the end a list of each resource.
 */
export function apiStepsOf(world: World, names: readonly string[]): fc.Arbitrary<readonly ApiStep[]> {
  const ordered = inOrder(world, names);
  const creates = ordered.map((name) =>
    fc.uniqueArray(createOf(world, name, own), {
      minLength: 2,
      maxLength: 3,
      selector: ({ row }) => JSON.stringify(keyIn(world, name, row)),
    }),
  );
  const one = fc.record({ step: fc.oneof(...names.map((name) => stepOf(world, name))), picks });
  const others = fc.array(one, { minLength: 6, maxLength: 10, size: "max" });
  const transaction = fc.record({
    who: anyone,
    isRolledBack: fc.nat(3).map((number) => number === 0),
    inner: fc.array(one, { minLength: 2, maxLength: 3, size: "max" }),
  });
  const numbers = fc.array(picks, { minLength: 4 * names.length, maxLength: 4 * names.length });
  const lists = names.map((of, at): ApiCall => {
    return { kind: "list", who: at % 2 === 0 ? "ann" : "eve", of, key: "", deleted: undefined, related: undefined };
  });
  const transactions = fc.array(transaction, { minLength: 1, maxLength: 2, size: "max" });
  return fc.tuple(fc.tuple(...creates), numbers, others, transactions).map(([rows, drawn, rest, together]) => {
    const created: Created = new Map(ordered.map((name, at) => [name, rows[at] ?? []]));
    const first = rows.flat().map((step, at): Drawn => ({ step, picks: drawn[at] ?? [] }));
    const alone = (all: readonly Drawn[]): readonly ApiCall[] =>
      all.flatMap((one) => withRestore(world, one, withKeys(world, created, one)));
    const transacted = together.map(({ who, isRolledBack, inner }): ApiTransaction => {
      const calls = inner.map(({ step, picks }) => withKeys(world, created, { step: { ...step, who }, picks }));
      return { kind: "transaction", who, isRolledBack, calls };
    });
    return [...alone([...first, ...rest.slice(0, 4)]), ...transacted, ...alone(rest.slice(4)), ...lists];
  });
}

/** Half of the deleted rows are restored by the same caller. */
function withRestore(world: World, { picks: [, number = 0] }: Drawn, step: ApiCall): readonly ApiCall[] {
  const isKept = step.kind === "delete" && world.resource(step.of).softDelete !== undefined;
  const { who, of, key } = step;
  return isKept && number % 2 === 0 ? [step, { kind: "restore", who, of, key }] : [step];
}

/** Returns the resources in an order in which most references lead to earlier ones. */
function inOrder(world: World, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string, open: readonly string[]): void => {
    if (found.has(name) || open.includes(name)) return;
    for (const { kind, target } of world.resource(name).relations.values())
      if (kind === "belongsTo") visit(target, [...open, name]);
    found.add(name);
  };
  for (const name of names) visit(name, []);
  return [...found];
}

function keyIn(world: World, name: string, row: Row): Key {
  const parts = world.resource(name).key.map((field) => row[field] as string | number);
  return parts.length === 1 ? (parts[0] as Key) : parts;
}

/** Lets a call name created rows, mostly those of the caller's shop. */
function withKeys(world: World, created: Created, { step, picks: [own_ = 0, ...more] }: Drawn): ApiCall {
  const pick = (name: string, at: number): Row | undefined => {
    const all = created.get(name) ?? [];
    const near = all.filter(({ who }) => shopOfCaller(who) === shopOfCaller(step.who));
    const from = at % 4 > 0 && near.length > 0 ? near : all;
    return from[Math.floor(at / 4) % from.length]?.row;
  };
  const keyFor = (name: string, at: number, drawn: Key): Key => {
    const row = pick(name, at);
    return row === undefined ? drawn : keyIn(world, name, row);
  };
  if (step.kind === "create") return { ...step, row: withReferences(world, step.of, step.row, pick, more) };
  const named = { ...step, key: keyFor(step.of, own_, step.key) };
  if (named.kind === "update" || named.kind === "replace")
    return { ...named, row: withReferences(world, named.of, named.row, pick, more) };
  if (named.kind !== "link" && named.kind !== "unlink") return named;
  const target = world.resource(named.of).relations.get(named.relation)?.target as string;
  return { ...named, other: keyFor(target, more[0] ?? 0, named.other) };
}

function withReferences(
  world: World,
  name: string,
  row: Row,
  pick: (name: string, at: number) => Row | undefined,
  numbers: readonly number[],
): Row {
  const references = [...world.resource(name).relations.values()].filter(({ kind }) => kind === "belongsTo");
  const canBeNull = (field: string): boolean => world.fields(name).some((one) => one.name === field && one.nullable);
  return references.reduce((all, { local, foreign, target }, at) => {
    const number = numbers[at % numbers.length] ?? 0;
    const [field] = local.filter(canBeNull);
    // The first rows of a cycle reference nothing.
    if (field !== undefined && number % 3 === 0) return { ...all, [field]: null };
    const far = pick(target, Math.floor(number / 3));
    const isNull =
      local.some((field) => all[field] === null) || foreign.some((field) => (far?.[field] ?? null) === null);
    if (far === undefined || isNull) return all;
    return { ...all, ...Object.fromEntries(local.map((field, part) => [field, far[foreign[part] as string] as Json])) };
  }, row);
}
