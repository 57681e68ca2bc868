import { type Path, quote, refuse } from "../../errors/refuse.ts";
import { closestName } from "../../util/closest-name.ts";
import type { QueryTree } from "./parse-query.ts";

/** Parameters that shape the answer, at any route that answers rows. */
export const SHAPE_PARAMETERS = ["fields", "include", "rel"] as const;
/** Parameters of every list. */
export const LIST_PARAMETERS = ["filter", "sort", "page", "count", ...SHAPE_PARAMETERS] as const;

/** Refuses what nobody reads: nothing is ignored in silence. */
export function checkParameters(tree: object, known: readonly string[], path: Path = []): void {
  for (const name of Object.keys(tree)) {
    if (known.includes(name)) continue;
    const closest = closestName(name, known);
    const exists = known.length === 0 ? "None are supported here." : `Available: ${known.join(", ")}.`;
    const hint = closest === undefined ? exists : `Did you mean '${closest}'?`;
    refuse([...path, name], "unknown_parameter", `Unknown parameter ${quote(name)}. ${hint}`);
  }
}

/** Names divided by commas, in one text or, where a parameter is repeated or a body says so, in a list of them. */
export function readList(value: unknown, path: Path): readonly string[] {
  if (value === undefined) return [];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  const names = texts.flatMap((text) => {
    if (typeof text === "string") return text.split(",").map((name) => name.trim());
    return refuse(path, "malformed", `${quote(path.at(-1))} must be a list of names, separated by commas.`);
  });
  if (names.some((name) => name === "")) refuse(path, "malformed", `${quote(path.at(-1))} contains an empty name.`);
  return [...new Set(names)];
}

/** Sort terms: one text divided by commas, or, in a body, also a list. */
export function readSort(value: unknown, path: Path, isBody: boolean): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return value.split(",").map((term) => term.trim());
  // What a term may be is for who lowers it to say.
  if (isBody && Array.isArray(value)) return value as readonly string[];
  return refuse(path, "malformed", "'sort' must be one list of names, separated by commas: sort=-price,title.");
}

export function readObject(value: unknown, path: Path, example: string): QueryTree {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse(path, "malformed", `${quote(path.at(-1))} needs a key in brackets: ${example}.`);
  }
  return value as QueryTree;
}

export function readFlag(value: unknown, path: Path): boolean {
  if (value === undefined || value === "false" || value === false) return false;
  if (value === "true" || value === true) return true;
  return refuse(path, "malformed", `${quote(path.at(-1))} must be 'true' or 'false'.`);
}
