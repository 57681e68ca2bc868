import { BREAK, type FieldNode, type FragmentDefinitionNode, type GraphQLResolveInfo, visit } from "graphql";
import { type Document, documentOf } from "./document.ts";

type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/**
 * Caches the lowered selection of a root field unless it depends on variables, so that a document that runs again is
 * lowered only once. Documents are held weakly, because the server has its own document cache.
 */
export function rememberSelection<T>(
  select: (nodes: readonly FieldNode[], document: Document) => T,
): (info: GraphQLResolveInfo) => T {
  const known = new WeakMap<FieldNode, { readonly lowered: T } | "depends">();
  const lower = (nodes: readonly FieldNode[], info: GraphQLResolveInfo): T => select(nodes, documentOf(info));
  return (info) => {
    const node = info.fieldNodes[0];
    // Merged fields may differ the next time, if a directive includes or skips one of them.
    if (node === undefined || info.fieldNodes.length > 1) return lower(info.fieldNodes, info);
    const before = known.get(node);
    if (before === "depends") return lower(info.fieldNodes, info);
    if (before !== undefined) return before.lowered;
    const lowered = lower(info.fieldNodes, info);
    known.set(node, usesVariables(node, info.fragments) ? "depends" : { lowered });
    return lowered;
  };
}

function usesVariables(root: FieldNode, fragments: Fragments): boolean {
  const seen = new Set<string>();
  let found = false;
  const search = (node: FieldNode["selectionSet"]): void => {
    if (node === undefined || found) return;
    visit(node, {
      Variable: () => {
        found = true;
        return BREAK;
      },
      FragmentSpread: ({ name }) => {
        if (seen.has(name.value)) return;
        seen.add(name.value);
        search(fragments[name.value]?.selectionSet);
      },
    });
  };
  search(root.selectionSet);
  return found;
}
