import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/**
 * Returns how many pairs of fields validation compares because they share a response name (specification §5.3.2, "Field
 * Selection Merging"), in all selection sets of a document. Stops counting above `most`. The number grows with the
 * square of the number of fields, so it has to be checked before validation.
 */
export function countComparisons(document: DocumentNode, fragments: Fragments, most: number): number {
  let count = 0;

  /** Visits each selection set of the document once. */
  function visit(selectionSet: SelectionSetNode): void {
    compare([selectionSet]);
    for (const selection of selectionSet.selections) {
      if (count > most) return;
      if (selection.kind !== Kind.FRAGMENT_SPREAD && selection.selectionSet !== undefined)
        visit(selection.selectionSet);
    }
  }

  /**
   * Counts the pairs of fields with the same response name in merged selection sets, and in the selections beneath
   * them.
   */
  function compare(merged: readonly SelectionSetNode[]): void {
    for (const fields of byResponseName(merged).values()) {
      if (fields.length < 2) continue;
      count += (fields.length * (fields.length - 1)) / 2;
      if (count > most) return;
      const beneath = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (beneath.length > 1) compare(beneath);
    }
  }

  /**
   * Expands each fragment once, as validation does. Visiting a field of a fragment counts too, because fragments may be
   * large.
   */
  function byResponseName(merged: readonly SelectionSetNode[]): ReadonlyMap<string, readonly FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const collect = ({ selections }: SelectionSetNode, isSpread: boolean): void => {
      for (const selection of selections) {
        if (isSpread) count++;
        if (count > most) return;
        if (selection.kind === Kind.FIELD) {
          const name = (selection.alias ?? selection.name).value;
          const known = fields.get(name);
          if (known === undefined) fields.set(name, [selection]);
          else known.push(selection);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          collect(selection.selectionSet, isSpread);
        } else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          const fragment = fragments.get(selection.name.value);
          if (fragment !== undefined) collect(fragment.selectionSet, true);
        }
      }
    };
    for (const selectionSet of merged) collect(selectionSet, false);
    return fields;
  }

  for (const node of document.definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION || node.kind === Kind.FRAGMENT_DEFINITION) visit(node.selectionSet);
  }
  return count;
}
