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
