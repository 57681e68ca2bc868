import fc from "fast-check";
import { callerTree, number, type Says, type Tree } from "../rule-tree.ts";

/** Access rules as data. The rules of tags do not follow relations. */
export interface Rules {
  readonly read: Tree;
  readonly create: Tree;
  readonly update: Tree;
  readonly remove: Tree;
  readonly act: Tree;
  readonly priceRead: Tree;
  readonly priceWrite: Tree;
  /** Reading drawn fields that have a rule. */
  readonly fieldRead: Tree;
  readonly link: Tree;
  readonly itemsRead: Tree;
  readonly noteRead: Tree;
  readonly noteWrite: Tree;
  readonly tagRead: Tree;
  readonly tagLink: Tree;
  readonly tagsRead: Tree;
  /** Reading deleted rows. */
  readonly deleted: Tree;
  readonly restore: Tree;
  readonly historyRead: Tree;
}

const leaf = (says: Says): Tree => ({ kind: "leaf", says, isLate: false });
const yes = fc.constant(leaf(true));
const some: fc.Arbitrary<Tree> = fc
  .record({ field: fc.constantFrom("color" as const, "size" as const), value: number })
  .map(leaf);
const most: fc.Arbitrary<Tree> = some.map((part) => ({ kind: "not", part }));

/** Often hides some rows. Hiding all or none would prove little. */
const reading = fc.oneof(
  { weight: 3, arbitrary: most },
  { weight: 2, arbitrary: some },
  { weight: 3, arbitrary: callerTree },
  { weight: 1, arbitrary: yes },
);
/** Rules for related rows are more open, because the rule of the row hides them already. */
const readingMore = fc.oneof({ weight: 3, arbitrary: yes }, { weight: 2, arbitrary: reading });
/** Permits most writes, because a rejected write proves little. */
const writing = fc.oneof(
  { weight: 6, arbitrary: yes },
  { weight: 1, arbitrary: most },
  { weight: 2, arbitrary: callerTree },
);

const flat = (tree: Tree): Tree => {
  if (tree.kind === "leaf") return tree;
  if ("parts" in tree) return { ...tree, parts: tree.parts.map(flat) };
  return tree.kind === "through" ? flat(tree.part) : { ...tree, part: flat(tree.part) };
};

export const rules: fc.Arbitrary<Rules> = fc.record({
  read: reading,
  create: writing,
  update: writing,
  remove: writing,
  act: writing,
  priceRead: reading,
  priceWrite: writing,
  fieldRead: reading,
  link: writing,
  itemsRead: readingMore,
  noteRead: readingMore,
  noteWrite: writing,
  tagRead: readingMore.map(flat),
  tagLink: writing.map(flat),
  tagsRead: readingMore.map(flat),
  deleted: reading,
  restore: writing,
  historyRead: readingMore,
});

/** Rules as readable text. */
export function printRules(all: Rules): string {
  return Object.entries(all)
    .map(([name, tree]) => `${name}: ${printTree(tree as Tree)}`)
    .join("; ");
}

function printTree(tree: Tree): string {
  if (tree.kind === "leaf") {
    const { says } = tree;
    if (typeof says !== "object") return String(says);
    return "asks" in says ? says.asks : `${says.field} = ${says.value}`;
  }
  if ("parts" in tree) return `${tree.kind}(${tree.parts.map(printTree).join(", ")})`;
  return `${tree.kind}(${printTree(tree.part)})`;
}
