import { allow, and, type AnyFilter, deny, not, or, type Rule, through } from "@bifocal/core";
import fc from "fast-check";

/** A rule as data: what it is made of, and what each leaf says. */
export type Tree =
  | { readonly kind: "and" | "or"; readonly parts: readonly Tree[] }
  | { readonly kind: "not" | "through"; readonly part: Tree }
  | { readonly kind: "leaf"; readonly says: Says; readonly isLate: boolean };

/** `fault`: no answer at all. */
export type Says = boolean | "fault" | { readonly field: "color" | "size"; readonly value: number };

export interface Row {
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

export function toRule(tree: Tree, fault = 0): Rule {
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
export function meaning(tree: Tree, row: Row, boxes: ReadonlyMap<number, Row>): boolean | undefined {
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

export function replaceLeaf(tree: Tree, replace: (says: Says) => Says): Tree {
  if (tree.kind === "leaf") return { ...tree, says: replace(tree.says) };
  if ("parts" in tree) return { ...tree, parts: tree.parts.map((part) => replaceLeaf(part, replace)) };
  return { ...tree, part: replaceLeaf(tree.part, replace) };
}

export const number = fc.integer({ min: 0, max: 2 });
const says: fc.Arbitrary<Says> = fc.oneof(
  fc.boolean(),
  fc.constant("fault" as const),
  fc.record({ field: fc.constantFrom("color" as const, "size" as const), value: number }),
);
export const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
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
