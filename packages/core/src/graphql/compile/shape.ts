import type { FieldNode } from "graphql";
import { bytesOfShape, type Grow } from "./document-bytes.ts";
import type { Document } from "../lower/document.ts";
import type { CompiledRoot } from "./compile-root.ts";
import type { Places } from "./compiler.ts";
import type { Variables } from "./literal.ts";

/** What a root field selects, lowered, and where its relations stand. */
export interface Shape {
  readonly selected: unknown;
  readonly places: Places;
}

/** Throws what lowering throws, and `UNSURE`. */
export type ShapeOf = (variables: Variables) => Shape;

const MOST = 32;
/** Characters of the key of a shape that is kept. */
const LONGEST = 1_000;

/** Lowers what a root field selects once for each set of values that the variables beneath it have. */
export function rememberShape(
  { root, dynamic, write }: CompiledRoot,
  nodes: readonly FieldNode[],
  documentFor: (variables: Variables) => Document,
  grow: Grow,
): ShapeOf {
  const known = new Map<string, Shape>();
  let bytes: number | undefined;
  return (variables) => {
    // Who cannot write the answer has not looked at what stands beneath, and so does not know on what it depends.
    if (write === undefined) return { selected: root.select(nodes, documentFor(variables)), places: [] };
    const args = dynamic.map((place) => place.argumentsOf(variables));
    const key = args.length === 0 ? "" : JSON.stringify(args);
    const before = known.get(key);
    if (before !== undefined) return before;
    const selected = root.select(nodes, documentFor(variables));
    const shape = { selected, places: dynamic.map((place, index) => place.placeOf(args[index] as never)) };
    if (key.length >= LONGEST) return shape;
    if (known.size < MOST) grow((bytes ??= bytesOfShape(nodes, documentFor(variables).fragments)));
    else known.delete(known.keys().next().value as string);
    known.set(key, shape);
    return shape;
  };
}
