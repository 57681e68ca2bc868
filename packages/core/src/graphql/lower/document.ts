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

/** A document with the variables of one execution, for lowering. */
export interface Document {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode | undefined>>;
  /** Evaluates `@skip` and `@include` (specification §6.3.2). */
  readonly isIncluded: (node: SelectionNode) => boolean;
  readonly argumentsOf: (field: GraphQLField<unknown, unknown>, node: FieldNode) => Readonly<Record<string, unknown>>;
  /** Present for incremental delivery. */
  readonly parts?: DocumentParts;
}

/** The parts of a document that are read later. They find their rows by key. */
export interface DocumentParts {
  /** Whether a fragment is deferred for objects of this type. */
  readonly isDeferred: (node: SelectionNode, typeName: string) => boolean;
  /** How many items of a field are read at once. Undefined means all of them. */
  readonly initialCount: (node: FieldNode) => number | undefined;
  /** Returns the fields that may have the same place in the result as a field, with those of deferred fragments. */
  readonly sameFields: (node: FieldNode) => readonly FieldNode[];
}

/** Creates the document for a resolver of graphql-js. */
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
