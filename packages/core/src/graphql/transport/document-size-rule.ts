import {
  type ASTVisitor,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from "graphql";

/**
 * Bounds the fields of an operation with its fragments spread out: a few fragments that spread each other twice name
 * more fields than any server could answer, in a document of few tokens.
 */
export function documentSizeRule(limit: number): ValidationRule {
  return (context: ValidationContext): ASTVisitor => {
    const known = new Map<string, number>();

    function count(selectionSet: SelectionSetNode | undefined): number {
      let fields = 0;
      for (const selection of selectionSet?.selections ?? []) {
        if (selection.kind === Kind.FRAGMENT_SPREAD) fields += countFragment(context.getFragment(selection.name.value));
        else fields += (selection.kind === Kind.FIELD ? 1 : 0) + count(selection.selectionSet);
      }
      return fields;
    }

    function countFragment(fragment: FragmentDefinitionNode | null | undefined): number {
      if (fragment === null || fragment === undefined) return 0;
      const { value } = fragment.name;
      const before = known.get(value);
      if (before !== undefined) return before;
      // A fragment within itself is refused by a rule of its own; here it only must not count for ever.
      known.set(value, 0);
      const fields = count(fragment.selectionSet);
      known.set(value, fields);
      return fields;
    }

    return {
      OperationDefinition(node) {
        const fields = count(node.selectionSet);
        if (fields <= limit) return;
        context.reportError(
          new GraphQLError(`An operation may select ${limit} fields, fragments spread out.`, { nodes: node }),
        );
      },
    };
  };
}
