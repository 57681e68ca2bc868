import {
  type FieldNode,
  type FragmentDefinitionNode,
  type InlineFragmentNode,
  isAbstractType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import type { Document } from "./document.ts";

/**
 * Calls `visit` for each field of a selection set: expands fragments, applies `@skip` and `@include` (specification
 * §6.3.2), and leaves out deferred fragments. Fields with the same response name are visited separately; the caller
 * merges them.
 */
export function eachField(
  selectionSet: SelectionSetNode | undefined,
  typeName: string,
  document: Document,
  visit: (node: FieldNode) => void,
): void {
  for (const selection of selectionSet?.selections ?? []) {
    if (!document.isIncluded(selection)) continue;
    if (selection.kind === Kind.FIELD) {
      visit(selection);
      continue;
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : document.fragments[selection.name.value];
    if (fragment !== undefined && applies(fragment, typeName, document)) {
      if (document.parts?.isDeferred(selection, typeName) === true) continue;
      eachField(fragment.selectionSet, typeName, document, visit);
    }
  }
}

export function applies(
  { typeCondition }: InlineFragmentNode | FragmentDefinitionNode,
  typeName: string,
  { schema }: Document,
): boolean {
  if (typeCondition === undefined || typeCondition.name.value === typeName) return true;
  // Derived types have no interfaces, but a host may have extended the schema.
  const condition = schema.getType(typeCondition.name.value);
  const type = schema.getType(typeName);
  return isAbstractType(condition) && isObjectType(type) && schema.isSubType(condition, type);
}
