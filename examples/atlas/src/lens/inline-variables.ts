import {
  type GraphQLSchema,
  isInputType,
  Kind,
  parse,
  print,
  typeFromAST,
  type ValueNode,
  valueToLiteral,
  visit,
} from "graphql";

/** Prints a document with the values of its variables, so that it can be read and edited in one place. */
export function inlineVariables(
  schema: GraphQLSchema,
  document: string,
  variables: Readonly<Record<string, unknown>>,
): string {
  const parsed = parse(document);
  const literals = new Map<string, ValueNode>();
  for (const definition of parsed.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const name = variable.name.value;
      const inputType = typeFromAST(schema, type);
      if (inputType === undefined || !isInputType(inputType) || !(name in variables)) continue;
      const literal = valueToLiteral(variables[name], inputType);
      if (literal !== undefined) literals.set(name, literal);
    }
  }
  const inlined = visit(parsed, {
    VariableDefinition: ({ variable }) => (literals.has(variable.name.value) ? null : undefined),
    Variable: ({ name }) => literals.get(name.value),
  });
  return print(inlined);
}
