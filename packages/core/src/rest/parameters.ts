import { type Path, quote, refuse } from "../operation/refuse.ts";
import { closestName } from "../util/closest-name.ts";
import type { QueryTree, QueryValue } from "./parse-query.ts";

/** Parameters that shape the answer, at any route that answers rows. */
export const SHAPE_PARAMETERS = ["fields", "include", "rel"] as const;
/** Parameters of every list. */
export const LIST_PARAMETERS = ["filter", "sort", "page", "count", ...SHAPE_PARAMETERS] as const;

/** Refuses what nobody reads: nothing is ignored in silence. */
export function checkParameters(tree: QueryTree, known: readonly string[], path: Path = []): void {
  for (const name of Object.keys(tree)) {
    if (known.includes(name)) continue;
    const closest = closestName(name, known);
    const exists = known.length === 0 ? "There is none here." : `There are: ${known.join(", ")}.`;
    const hint = closest === undefined ? exists : `Did you mean '${closest}'?`;
    refuse([...path, name], "unknown_parameter", `There is no parameter ${quote(name)}. ${hint}`);
  }
}

/** A comma list; for `fields` and `include` the parameter may be repeated. */
export function readList(value: QueryValue | undefined, path: Path): readonly string[] {
  if (value === undefined) return [];
  const texts = typeof value === "string" ? [value] : value;
  if (!Array.isArray(texts))
    return refuse(path, "malformed", `${quote(path.at(-1))} is a list of names, divided by commas.`);
  const names = (texts as readonly string[]).flatMap((text) => text.split(",").map((name) => name.trim()));
  if (names.some((name) => name === "")) refuse(path, "malformed", `${quote(path.at(-1))} has an empty name in it.`);
  return [...new Set(names)];
}

export function readSort(value: QueryValue | undefined, path: Path): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== "string") {
    return refuse(path, "malformed", "'sort' is one list of names, divided by commas: sort=-price,title.");
  }
  return value.split(",").map((term) => term.trim());
}

export function readObject(value: QueryValue | undefined, path: Path, example: string): QueryTree {
  if (value === undefined) return {};
  if (typeof value === "string" || Array.isArray(value)) {
    return refuse(path, "malformed", `${quote(path.at(-1))} takes members: ${example}.`);
  }
  return value as QueryTree;
}

export function readFlag(value: QueryValue | undefined, path: Path): boolean {
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  return refuse(path, "malformed", `${quote(path.at(-1))} is 'true' or 'false'.`);
}
