import { type GraphQLSchema, isInputType, Kind, typeFromAST, type VariableDefinitionNode } from "graphql";
import { isPlainLiteral } from "./is-plain-literal.ts";
import type { VariableUse } from "./variable-use.ts";

type Types = Map<string, VariableUse["types"] extends ReadonlyMap<string, infer V> ? V : never>;

/** Returns the variables of an operation, or undefined if a definition is not plain. */
export function readVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): VariableUse | undefined {
  const types: Types = new Map();
  for (const { variable, type: node, defaultValue, directives } of definitions) {
    const name = variable.name.value;
    const type: unknown = typeFromAST(schema, node as never);
    if (!isInputType(type) || types.has(name) || directives?.length) return undefined;
    if (defaultValue !== undefined && !isPlainLiteral(undefined, type, defaultValue)) return undefined;
    types.set(name, { type, hasDefault: defaultValue !== undefined && defaultValue.kind !== Kind.NULL });
  }
  return { types, unused: new Set(types.keys()) };
}
