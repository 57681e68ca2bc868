import { type FieldNode, getArgumentValues, type GraphQLField } from "graphql";
import type { Arguments } from "../root-field.ts";
import { compileInputObject, hasVariable, type Variables } from "./literal.ts";
import { UNSURE } from "./unsure.ts";

/** The arguments of a field: constant, or a function of the variables. `read` throws `UNSURE`. */
export type CompiledArguments =
  | { readonly constant: Arguments; readonly read?: never }
  | { readonly constant?: never; readonly read: (variables: Variables) => Arguments };

export function compileArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): CompiledArguments {
  const given = node.arguments ?? [];
  if (!given.some(({ value }) => hasVariable(value))) {
    try {
      return { constant: getArgumentValues(field, node) };
    } catch {
      throw UNSURE;
    }
  }
  const read = compileInputObject(field.args, new Map(given.map(({ name, value }) => [name.value, value])));
  return { read: read as (variables: Variables) => Arguments };
}

export function argumentsFrom({ constant, read }: CompiledArguments, variables: Variables): Arguments {
  return constant ?? read(variables);
}
