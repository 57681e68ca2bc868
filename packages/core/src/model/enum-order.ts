import type { FieldModel } from "./model.ts";

/** Returns the values of an enum in the order of their text, if they were declared in another order. Stores sort by text. */
export function textOrderOf({ type }: FieldModel): readonly string[] | undefined {
  if (type.kind !== "enum") return undefined;
  const sorted = type.values.map(String).toSorted();
  return type.values.every((value, index) => String(value) === sorted[index]) ? undefined : sorted;
}
