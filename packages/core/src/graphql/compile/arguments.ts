import { type FieldNode, getArgumentValues, type GraphQLField } from "graphql";
import type { Arguments } from "../root-field.ts";
import type { Compiler, DynamicPlace, PlaceOf } from "./compiler.ts";
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

/**
 * Compiles the key that a relation's page or row has in its node. The result is cached per field of the document and
 * relation: a field in an interface of the host may match several relations.
 */
export function compilePlaces(dynamic: DynamicPlace[]): Compiler["placeOf"] {
  const known = new Map<FieldNode, Map<DynamicPlace["placeOf"], PlaceOf>>();
  return (field, node, { placeOf }) => {
    let places = known.get(node);
    if (places === undefined) known.set(node, (places = new Map()));
    let place = places.get(placeOf);
    if (place === undefined)
      places.set(placeOf, (place = compilePlace(dynamic, compileArguments(field, node), placeOf)));
    return place;
  };
}

function compilePlace(dynamic: DynamicPlace[], args: CompiledArguments, placeOf: DynamicPlace["placeOf"]): PlaceOf {
  if (args.constant !== undefined) {
    const { constant } = args;
    // Invalid arguments are reported earlier, when the selection is lowered.
    let place: string | undefined;
    return () => (place ??= placeOf(constant));
  }
  const index = dynamic.push({ argumentsOf: (variables) => argumentsFrom(args, variables), placeOf }) - 1;
  return (places) => places[index] as string;
}
