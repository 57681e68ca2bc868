import type { FieldNode } from "graphql";
import { bytesOfShape, type Grow } from "./document-bytes.ts";
import type { TextShape } from "../../operation/text-shape.ts";
import type { Document } from "../lower/document.ts";
import type { CompiledRoot } from "./compile-root.ts";
import type { RelationPlaces } from "./compiler.ts";
import type { Variables } from "./literal.ts";

/** The lowered selection of a root field, and the places of its relations. */
export interface LoweredSelection {
  readonly selected: unknown;
  readonly places: RelationPlaces;
  /** Returns the template for the text of a page's rows. Compiled on first use, because few stores need it. */
  readonly textShape: () => TextShape | undefined;
}

/** Throws the errors of lowering, and `UNSURE`. */
export type ShapeOf = (variables: Variables) => LoweredSelection;

const MAX_SHAPES = 32;
/** Maximum length, in characters, of the key of a cached shape. */
const MAX_KEY_LENGTH = 1_000;

/** Lowers the selection of a root field, once for each set of values of the variables in it. */
export function rememberShape(
  { root, dynamic, write, textShape }: CompiledRoot,
  nodes: readonly FieldNode[],
  documentFor: (variables: Variables) => Document,
  grow: Grow,
): ShapeOf {
  const known = new Map<string, LoweredSelection>();
  let bytes: number | undefined;
  return (variables) => {
    // A root without a writer has not compiled its selection, so the variables that it depends on are unknown.
    if (write === undefined) return lowered(root.select(nodes, documentFor(variables)), []);
    const args = dynamic.map((place) => place.argumentsOf(variables));
    const key = args.length === 0 ? "" : JSON.stringify(args);
    const before = known.get(key);
    if (before !== undefined) return before;
    const selected = root.select(nodes, documentFor(variables));
    const places = dynamic.map((place, index) => place.placeOf(args[index] as never));
    const shape = lowered(selected, places, textShape);
    if (key.length >= MAX_KEY_LENGTH) return shape;
    if (known.size < MAX_SHAPES) grow((bytes ??= bytesOfShape(nodes, documentFor(variables).fragments)));
    else known.delete(known.keys().next().value as string);
    known.set(key, shape);
    return shape;
  };
}

function lowered(selected: unknown, places: RelationPlaces, compile?: CompiledRoot["textShape"]): LoweredSelection {
  let known: { readonly shape: TextShape | undefined } | undefined;
  return { selected, places, textShape: () => (known ??= { shape: compile?.(places) }).shape };
}
