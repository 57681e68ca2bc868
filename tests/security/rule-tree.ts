import {
  allow,
  allOf,
  type AnyFilter,
  deny,
  hasRole,
  hasScope,
  unless,
  anyOf,
  owner,
  type Principal,
  type Rule,
  signedIn,
  through,
} from "@bifocal/core";
import fc from "fast-check";

/** A rule as data: its parts, and the result of each leaf. */
export type Tree =
  | { readonly kind: "and" | "or"; readonly parts: readonly Tree[] }
  | { readonly kind: "not" | "through"; readonly part: Tree }
  | { readonly kind: "leaf"; readonly says: Says; readonly isLate: boolean };

/** `fault`: returns no result. `asks` depends on the caller. */
export type Says =
  | boolean
  | "fault"
  | { readonly field: "color" | "size"; readonly value: number }
  | { readonly asks: keyof typeof CALLER_RULES };

const CALLER_RULES = {
  signedIn,
  editor: hasRole("editor"),
  writeScope: hasScope("write"),
  owner: owner("ownerId"),
} satisfies Record<string, Rule>;

export interface Row {
  readonly id: number;
  readonly color: number;
  readonly size: number;
  readonly ownerId?: string;
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
      const join = tree.kind === "and" ? allOf : anyOf;
      const [first = deny, ...rest] = tree.parts.map((part, index) => toRule(part, fault + index));
      return rest.reduce<Rule>((joined, rule) => join(joined, rule), join(first));
    }
    case "not":
      return unless(toRule(tree.part, fault + 1));
    case "through":
      return through("box", toRule(tree.part, fault + 1));
    case "leaf":
      return leaf(tree, fault);
  }
}

/** Replaces `deny`, which would remove operations from the API, by a function that denies. */
export function asked(rule: Rule): Rule {
  return rule === deny ? () => false : rule;
}

function leaf({ says, isLate }: Extract<Tree, { kind: "leaf" }>, fault: number): Rule {
  if (!isLate && says === true) return allow;
  if (!isLate && says === false) return deny;
  if (typeof says === "object" && "asks" in says) return callerRule(says.asks, isLate);
  const answer = (): unknown => {
    if (says === "fault") return FAULTS[fault % FAULTS.length]?.();
    return typeof says === "object" && "field" in says ? { [says.field]: says.value } : says;
  };
  return (isLate ? async () => answer() as AnyFilter : answer) as Rule;
}

function callerRule(asks: keyof typeof CALLER_RULES, isLate: boolean): Rule {
  const rule: Rule = CALLER_RULES[asks];
  return isLate ? async (context) => rule(context) : rule;
}

/** Evaluates a rule about the caller for a row. */
function saysOfCaller(asks: keyof typeof CALLER_RULES, row: Row, caller: Principal | null): boolean {
  switch (asks) {
    case "signedIn":
      return caller !== null;
    case "editor":
      return caller?.roles?.includes("editor") ?? false;
    case "writeScope":
      return caller?.scopes?.includes("write") ?? false;
    case "owner":
      return caller !== null && row.ownerId === caller.id;
  }
}

/**
 * The meaning of a rule for one row, written as simply as possible. `undefined` is neither a permission nor a
 * denial.
 */
export function meaning(
  tree: Tree,
  row: Row,
  boxes: ReadonlyMap<number, Row>,
  caller: Principal | null = null,
): boolean | undefined {
  switch (tree.kind) {
    case "and": {
      const all = tree.parts.map((part) => meaning(part, row, boxes, caller));
      return all.includes(false) ? false : all.includes(undefined) ? undefined : true;
    }
    case "or": {
      const all = tree.parts.map((part) => meaning(part, row, boxes, caller));
      return all.includes(true) ? true : all.includes(undefined) ? undefined : false;
    }
    case "not": {
      const one = meaning(tree.part, row, boxes, caller);
      return one === undefined ? undefined : !one;
    }
    case "through": {
      const box = row.boxId === null ? undefined : boxes.get(row.boxId);
      return box === undefined ? false : meaning(tree.part, box, boxes, caller);
    }
    case "leaf":
      if (tree.says === "fault") return undefined;
      if (typeof tree.says !== "object") return tree.says;
      if ("asks" in tree.says) return saysOfCaller(tree.says.asks, row, caller);
      return row[tree.says.field] === tree.says.value;
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
const asks = Object.keys(CALLER_RULES) as (keyof typeof CALLER_RULES)[];
const saysOrAsks: fc.Arbitrary<Says> = fc.oneof(says, fc.record({ asks: fc.constantFrom(...asks) }));

function treeOf(leafSays: fc.Arbitrary<Says>): fc.Arbitrary<Tree> {
  return fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({ kind: fc.constant("leaf" as const), says: leafSays, isLate: fc.boolean() }),
      fc.record({
        kind: fc.constantFrom("and" as const, "or" as const),
        parts: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constantFrom("not" as const, "through" as const), part: tie("tree") }),
    ),
  })).tree;
}

/** Rules that depend only on the row. */
export const tree = treeOf(says);
/** Rules that depend on the row and the caller. */
export const callerTree = treeOf(saysOrAsks);
