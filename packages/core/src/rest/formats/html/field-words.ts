import type { View } from "../format.ts";
import { referenceIn } from "./reference-labels.ts";
import { toWords } from "./words.ts";

/** Returns the heading of a field: `Author` for `authorId`, whose value is shown as the author's label. */
export function fieldWords({ model, resource }: Pick<View, "model" | "resource">, name: string): string {
  return toWords(referenceIn(model, resource, name)?.name ?? name);
}
