import {
  and,
  type AnyFilter,
  belongsTo,
  defineApi,
  defineResource,
  allow,
  deny,
  isBifocalError,
  memoryStore,
  not,
  or,
  type Rule,
  silentLog,
  through,
} from "@bifocal/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

/** A rule as data: what it is made of, and what each leaf says. */
type Tree =
  | { readonly kind: "and" | "or"; readonly parts: readonly Tree[] }
  | { readonly kind: "not" | "through"; readonly part: Tree }
  | { readonly kind: "leaf"; readonly says: Says; readonly isLate: boolean };

/** `fault`: no answer at all. */
type Says = boolean | "fault" | { readonly field: "color" | "size"; readonly value: number };

interface Row {
  readonly id: number;
  readonly color: number;
  readonly size: number;
  readonly boxId: number | null;
}

const FAULTS: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => "yes",
  () => [],
  () => ({}),
  () => ({ color: undefined }),
  () => ({ color: {} }),
  () => ({ and: [] }),
  () => ({ not: { color: { eq: undefined } } }),
  () => ({ nothing: 1 }),
  () => {
    throw new Error("a mistake in a rule");
  },
];

function toRule(tree: Tree, fault = 0): Rule {
  switch (tree.kind) {
    case "and":
    case "or": {
      const join = tree.kind === "and" ? and : or;
      const [first = deny, ...rest] = tree.parts.map((part, index) => toRule(part, fault + index));
      return rest.reduce<Rule>((joined, rule) => join(joined, rule), join(first));
    }
    case "not":
      return not(toRule(tree.part, fault + 1));
    case "through":
      return through("box", toRule(tree.part, fault + 1));
    case "leaf":
      return leaf(tree, fault);
  }
}

function leaf({ says, isLate }: Extract<Tree, { kind: "leaf" }>, fault: number): Rule {
  if (!isLate && says === true) return allow;
  if (!isLate && says === false) return deny;
  const answer = (): unknown => {
    if (says === "fault") return FAULTS[fault % FAULTS.length]?.();
    return typeof says === "object" ? { [says.field]: says.value } : says;
  };
  return (isLate ? async () => answer() as AnyFilter : answer) as Rule;
}

/** The meaning of a rule for one row, said as plainly as can be: `undefined` is neither yes nor no. */
function meaning(tree: Tree, row: Row, boxes: ReadonlyMap<number, Row>): boolean | undefined {
  switch (tree.kind) {
    case "and": {
      const all = tree.parts.map((part) => meaning(part, row, boxes));
      return all.includes(false) ? false : all.includes(undefined) ? undefined : true;
    }
    case "or": {
      const all = tree.parts.map((part) => meaning(part, row, boxes));
      return all.includes(true) ? true : all.includes(undefined) ? undefined : false;
    }
    case "not": {
      const one = meaning(tree.part, row, boxes);
      return one === undefined ? undefined : !one;
    }
    case "through": {
      const box = row.boxId === null ? undefined : boxes.get(row.boxId);
      return box === undefined ? false : meaning(tree.part, box, boxes);
    }
    case "leaf":
      if (tree.says === "fault") return undefined;
      return typeof tree.says === "object" ? row[tree.says.field] === tree.says.value : tree.says;
  }
}

function replaceLeaf(tree: Tree, replace: (says: Says) => Says): Tree {
  if (tree.kind === "leaf") return { ...tree, says: replace(tree.says) };
  if ("parts" in tree) return { ...tree, parts: tree.parts.map((part) => replaceLeaf(part, replace)) };
  return { ...tree, part: replaceLeaf(tree.part, replace) };
}

const number = fc.integer({ min: 0, max: 2 });
const says: fc.Arbitrary<Says> = fc.oneof(
  fc.boolean(),
  fc.constant("fault" as const),
  fc.record({ field: fc.constantFrom("color" as const, "size" as const), value: number }),
);
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("leaf" as const), says, isLate: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      parts: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constantFrom("not" as const, "through" as const), part: tie("tree") }),
  ),
}));
const rows = fc
  .array(fc.record({ color: number, size: number, boxId: fc.option(fc.integer({ min: 0, max: 5 })) }), { maxLength: 6 })
  .map((all) =>
    all.map((row, id): Row => ({ id, ...row, boxId: row.boxId !== null && row.boxId < all.length ? row.boxId : null })),
  );

/** Which rows the engine lets the rule read. */
async function readable(rule: Rule, data: readonly Row[]): Promise<readonly number[]> {
  const row = defineResource("row", {
    fields: { id: z.int32(), color: z.int32(), size: z.int32(), boxId: z.int32().nullable() },
    relations: { box: belongsTo("row", "boxId") },
    access: { read: rule, create: deny, update: deny, delete: deny },
  });
  const api = defineApi({
    resources: [row],
    store: memoryStore({ data: { row: data.map((one) => ({ ...one })) } }),
    log: silentLog,
  });
  try {
    const { items: found } = await api.as({ id: "ann" }).row.list();
    return found.map(({ id }) => id);
  } catch (thrown) {
    if (!isBifocalError(thrown) || thrown.code !== "FORBIDDEN") throw thrown;
    return [];
  }
}

function allowed(tree: Tree, data: readonly Row[]): readonly number[] {
  const boxes = new Map(data.map((row) => [row.id, row]));
  return data.filter((row) => meaning(tree, row, boxes) === true).map(({ id }) => id);
}

test("A38: composed rules mean what their parts mean, row by row", async () => {
  await fc.assert(
    fc.asyncProperty(tree, rows, fc.nat(20), async (rule, data, fault) => {
      expect(await readable(toRule(rule, fault), data)).toEqual(allowed(rule, data));
    }),
    { numRuns: 400 },
  );
});

test("A38: a rule that breaks never lets anybody see more", async () => {
  await fc.assert(
    fc.asyncProperty(tree, rows, fc.nat(20), fc.func(fc.boolean()), async (rule, data, fault, breaks) => {
      const broken = replaceLeaf(rule, (one) => (breaks(one) ? "fault" : one));
      const before = await readable(toRule(rule, fault), data);
      for (const id of await readable(toRule(broken, fault), data)) expect(before).toContain(id);
    }),
    { numRuns: 200 },
  );
});

test("A38: where every part answers, the laws of Boolean algebra hold", async () => {
  const sound = (one: Tree): Tree => replaceLeaf(one, (said) => (said === "fault" ? false : said));
  await fc.assert(
    fc.asyncProperty(tree.map(sound), tree.map(sound), rows, async (a, b, data) => {
      const [x, y] = [toRule(a), toRule(b)];
      const same = async (one: Rule, other: Rule): Promise<void> =>
        expect(await readable(one, data)).toEqual(await readable(other, data));
      await same(and(x, y), and(y, x));
      await same(or(x, y), or(y, x));
      await same(not(and(x, y)), or(not(x), not(y)));
      await same(not(not(x)), x);
      await same(and(x, or(x, y)), x);
      await same(or(x, not(x)), allow);
      await same(and(x, not(x)), deny);
    }),
    { numRuns: 100 },
  );
});
