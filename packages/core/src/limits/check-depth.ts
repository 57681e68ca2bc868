import type { Limits } from "./limits.ts";
import { type Path, quote, refuse } from "../errors/refuse.ts";
import type { Selection } from "../operation/selection.ts";

/** Rejects a selection that nests relations too deeply, before anything is read or written. */
export function checkDepth({ relations }: Selection, limits: Limits, path: Path = []): void {
  const { selectionDepth } = limits.query;
  for (const { relation, selection } of relations) {
    const at = [...path, relation];
    if (at.length > selectionDepth) {
      const message = `Relations can be nested at most ${selectionDepth} levels deep, and ${quote(at.join("."))} exceeds that.`;
      refuse(at, "too_deep", message);
    }
    checkDepth(selection, limits, at);
  }
}
