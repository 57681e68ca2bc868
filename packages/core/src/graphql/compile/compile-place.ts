import type { FieldNode } from "graphql";
import { argumentsFrom, compileArguments } from "./arguments.ts";
import type { Compiler, DynamicPlace, PlaceOf } from "./compiler.ts";

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

function compilePlace(
  dynamic: DynamicPlace[],
  args: ReturnType<typeof compileArguments>,
  placeOf: DynamicPlace["placeOf"],
): PlaceOf {
  if (args.constant !== undefined) {
    const { constant } = args;
    // Invalid arguments are reported earlier, when the selection is lowered.
    let place: string | undefined;
    return () => (place ??= placeOf(constant));
  }
  const index = dynamic.push({ argumentsOf: (variables) => argumentsFrom(args, variables), placeOf }) - 1;
  return (places) => places[index] as string;
}
