import {
  getVariableValues,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from "graphql";
import type { Variables } from "./literal.ts";

/** What graphql-js makes of an operation's variables: as its own functions take them, and their values alone; or what is wrong. */
export type ExactVariables =
  | {
      readonly variableValues: GraphQLResolveInfo["variableValues"];
      readonly coerced: Variables;
      readonly errors?: never;
    }
  | { readonly errors: readonly GraphQLError[] };

/** The coercion of variables by graphql-js, 16 or 17, which answers the values beside the sources that they came from. */
export function exactVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[] = [],
  inputs: Readonly<Record<string, unknown>> = {},
  options?: { readonly hideSuggestions: boolean; readonly maxErrors: number },
): ExactVariables {
  const found = getVariableValues(schema, definitions, { ...inputs }, options);
  if (found.errors !== undefined) return { errors: found.errors };
  const values = found as { readonly variableValues?: { readonly coerced: Variables }; readonly coerced?: Variables };
  const { variableValues } = values;
  const coerced = variableValues === undefined ? (values.coerced as Variables) : variableValues.coerced;
  return { variableValues: (variableValues ?? coerced) as GraphQLResolveInfo["variableValues"], coerced };
}
