import {
  getVariableValues,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from "graphql";
import type { Variables } from "./literal.ts";

/** Variables coerced by graphql-js: in the form that its functions take, and as plain values. Or the errors. */
export type ExactVariables =
  | {
      readonly variableValues: GraphQLResolveInfo["variableValues"];
      readonly coerced: Variables;
      readonly errors?: never;
    }
  | { readonly errors: readonly GraphQLError[] };

/**
 * Coerces variables with graphql-js. Version 17 returns the values next to their sources; version 16 returns only the
 * values.
 */
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
