import type { FieldNode } from "graphql";
import { argumentsFrom, compileArguments } from "./arguments.ts";
import type { Compiler, DynamicPlace, PlaceOf } from "./compiler.ts";

/** Works out where relations stand, each field of the document once. */
export function compilePlaces(dynamic: DynamicPlace[]): Compiler["placeOf"] {
  const known = new Map<FieldNode, PlaceOf>();
  return (field, node, { placeOf }) => {
    let place = known.get(node);
    if (place === undefined) known.set(node, (place = compilePlace(dynamic, compileArguments(field, node), placeOf)));
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
    // A mistake in them is found when the selection is lowered, which comes first.
    let place: string | undefined;
    return () => (place ??= placeOf(constant));
  }
  const index = dynamic.push({ argumentsOf: (variables) => argumentsFrom(args, variables), placeOf }) - 1;
  return (places) => places[index] as string;
}
