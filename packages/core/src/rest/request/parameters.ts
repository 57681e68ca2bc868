import { type Path, quote, refuse } from "../../errors/refuse.ts";
import type { ResourceModel } from "../../model/model.ts";
import { closestName } from "../../util/closest-name.ts";
import { offeredParameters, type QuerySubject } from "./offered-parameters.ts";
import type { QueryTree } from "./parse-query.ts";

/** Parameters that select the contents of a response with rows. */
export const SHAPE_PARAMETERS = ["fields", "include", "rel"] as const;
/** Returns `deleted`, for the rows of a resource with soft delete. */
export function deletedParameter({ softDelete }: ResourceModel): readonly string[] {
  return softDelete === undefined ? [] : ["deleted"];
}

export const LIST_PARAMETERS = ["filter", "q", "sort", "page", "count", ...SHAPE_PARAMETERS] as const;

/** Parameters of other APIs, with those of Bifocal that do the same. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...["limit", "per_page", "perPage", "pageSize", "page_size", "first"].map((name) => [name, "page[size]"] as const),
  ...["offset", "skip"].map((name) => [name, "page[offset]"] as const),
  ...["after", "cursor"].map((name) => [name, "page[after]"] as const),
  ...["order", "orderBy", "order_by", "sortBy", "sort_by"].map((name) => [name, "sort"] as const),
  ...["search", "query"].map((name) => [name, "q"] as const),
  ...["expand", "embed", "populate"].map((name) => [name, "include"] as const),
  ["select", "fields"],
  ["where", "filter"],
]);

/** Rejects unknown parameters instead of ignoring them. The error lists those that `subject` offers. */
export function rejectUnknownParameters(
  tree: object,
  known: readonly string[],
  subject?: QuerySubject,
  path: Path = [],
): void {
  for (const name of Object.keys(tree)) {
    if (known.includes(name)) continue;
    const offered = subject === undefined ? known : offeredParameters(known, subject);
    refuse([...path, name], "unknown_parameter", `Unknown parameter ${quote(name)}. ${hintFor(name, offered, path)}`);
  }
}

function hintFor(name: string, known: readonly string[], path: Path): string {
  const isRoot = path.length === 0;
  const same = isRoot ? ELSEWHERE.get(name) : undefined;
  if (same !== undefined && known.includes(same.replace(/\[.*/, ""))) return `Use '${same}'.`;
  const closest = closestName(name, known);
  if (closest !== undefined) return `Did you mean '${closest}'?`;
  if (known.length === 0) return "No names are supported here.";
  const filter = isRoot && known.includes("filter") ? " To filter by a field, write filter[field]=value." : "";
  return `Available: ${known.join(", ")}.${filter}`;
}

/** Accepts `initial` with its default, as some clients send it. Otherwise it is for event streams only. */
export function refuseInitial(tree: QueryTree): void {
  if (!readFlag(tree["initial"], ["initial"])) return;
  refuse(["initial"], "not_available", "'initial' applies only to event streams. Set 'Accept: text/event-stream'.");
}

/** Reads names separated by commas, from one text or from a list of texts (a repeated parameter or a JSON body). */
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

/** Reads sort terms separated by commas, from one text or a repeated parameter, or a list of terms in a body. */
export function readSort(value: unknown, path: Path, isBody: boolean): readonly string[] {
  if (value === undefined) return [];
  // `lowerSort` validates the terms.
  if (isBody && Array.isArray(value)) return value as readonly string[];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === "string"
      ? text.split(",").map((term) => term.trim())
      : refuse(path, "malformed", "'sort' must be a list of names, separated by commas: sort=-price,title."),
  );
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
