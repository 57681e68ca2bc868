import type { Principal } from "@bifocal/core";
import { meaning, type Row, type Tree } from "../rule-tree.ts";

/** Returns the parts of rules that look at the box of a row, at any depth. */
export function partsAlongBoxes(trees: readonly Tree[]): readonly Tree[] {
  return trees.flatMap((tree): readonly Tree[] => {
    if (tree.kind === "leaf") return [];
    if ("parts" in tree) return partsAlongBoxes(tree.parts);
    return tree.kind === "through" ? [tree.part, ...partsAlongBoxes([tree.part])] : partsAlongBoxes([tree.part]);
  });
}

type Answer = boolean | undefined;

/** The results that a rule can return for some row, even if the data has no such row. */
export function possibleAnswers(tree: Tree, caller: Principal | null): ReadonlySet<Answer> {
  switch (tree.kind) {
    case "leaf": {
      const { says } = tree;
      const isOfRow = typeof says === "object" && ("field" in says || (says.asks === "owner" && caller !== null));
      return isOfRow ? new Set([true, false]) : new Set([meaning(tree, NO_ROW, new Map(), caller)]);
    }
    case "not":
      return new Set([...possibleAnswers(tree.part, caller)].map((one) => (one === undefined ? undefined : !one)));
    case "through":
      return new Set([false, ...possibleAnswers(tree.part, caller)]);
    default: {
      const all = tree.parts.map((part) => possibleAnswers(part, caller));
      const decisive = tree.kind === "or";
      const isNever = all.every((answers) => !answers.has(decisive));
      const isAlways = all.every((answers) => answers.has(!decisive));
      return new Set<Answer>([
        ...(isNever ? [] : [decisive]),
        ...(isAlways ? [!decisive] : []),
        ...(all.some((answers) => answers.has(undefined)) ? [undefined] : []),
      ]);
    }
  }
}

const NO_ROW: Row = { id: -1, color: -1, size: -1, ownerId: "", boxId: null };
