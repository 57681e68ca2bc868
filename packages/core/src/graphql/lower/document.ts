import {
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  type SelectionNode,
} from "graphql";

/** A document with the variables of one execution, as lowering looks at it. */
export interface Document {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>;
  /** By `@skip` and `@include` (specification §6.3.2). */
  readonly isIncluded: (node: SelectionNode) => boolean;
  readonly argumentsOf: (field: GraphQLField<unknown, unknown>, node: FieldNode) => Readonly<Record<string, unknown>>;
  /** Where the answer is delivered in parts. */
  readonly parts?: DocumentParts;
}

/** What of a document is read later. Whoever reads it then finds the rows by their keys. */
export interface DocumentParts {
  /** Whether a fragment, as one of this type, is left to a later read. */
  readonly isDeferred: (node: SelectionNode, typeName: string) => boolean;
  /** How many items of a field are read at once; undefined: all. */
  readonly initialCount: (node: FieldNode) => number | undefined;
}

/** The document that a resolver of graphql-js runs for. */
export function documentOf({
  schema,
  fragments,
  variableValues,
}: Pick<GraphQLResolveInfo, "schema" | "fragments" | "variableValues">): Document {
  return {
    schema,
    fragments,
    isIncluded: (node) => {
      if (node.directives === undefined || node.directives.length === 0) return true;
      if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.["if"] === true) return false;
      return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.["if"] !== false;
    },
    argumentsOf: (field, node) => getArgumentValues(field, node, variableValues),
  };
}
