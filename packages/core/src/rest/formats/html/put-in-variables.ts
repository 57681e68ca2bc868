import type { Json, JsonObject } from "../../../util/json.ts";
import { constantCase } from "../../../util/constant-case.ts";
import type { RequestMistake } from "../format.ts";

type Path = RequestMistake["path"];

/** The variable of each parameter whose name differs. */
const NAMES: Readonly<Record<string, string>> = { q: "search", group: "groupBy", size: "first" };
const PAGE = "page";

/** Puts the mark into the variables. Returns false if they don't have the place of the mistake. */
export function putInVariables(variables: JsonObject, { path, kind, standIn }: RequestMistake, mark: string): boolean {
  if (kind === "parameter") return false;
  const [relation, [parameter = "", ...rest]] = path[0] === "rel" ? [String(path[1]), path.slice(2)] : ["", path];
  const word = parameter === PAGE ? String(rest[0]) : String(parameter);
  const variable = variableOf(variables, relation, NAMES[word] ?? word);
  if (variable === undefined) return false;
  const value = variables[variable];
  if (parameter === "sort") return putInSort(value, Number(rest[0] ?? 0), mark);
  if (parameter === "group") return putInGroups(value, constantCase(standIn), mark);
  if (parameter === "filter" || parameter === "having")
    return putInFilter(value, kind === "name" ? [...rest.slice(0, -1), standIn] : rest, kind, mark);
  return kind === "value" && put(variables, variable, mark);
}

/** The variables of relations start with the name of the relation: `reviewsSort`. */
function variableOf(variables: JsonObject, relation: string, name: string): string | undefined {
  if (relation === "" && name in variables) return name;
  const ending = name.charAt(0).toUpperCase() + name.slice(1);
  const found = Object.keys(variables).filter((one) =>
    relation === "" ? one.endsWith(ending) : one === relation.replaceAll(".", "") + ending,
  );
  return found.length === 1 ? found[0] : undefined;
}

/** Marks a name or a value of a filter. The shorthand `filter[genre]=novel` has no operator. */
function putInFilter(filter: Json | undefined, path: Path, kind: RequestMistake["kind"], mark: string): boolean {
  const last = String(path.at(-1));
  let place = filter;
  for (const key of path.slice(0, -1)) place = childOf(place, String(key));
  if (typeof place !== "object" || place === null || Array.isArray(place) || !(last in place)) return false;
  const parent = place as Record<string, Json>;
  if (kind === "name") return rename(parent, last, mark);
  const value = parent[last];
  const isShort = typeof value === "object" && value !== null && !Array.isArray(value) && "eq" in value;
  return isShort ? put(value, "eq", mark) : put(parent, last, mark);
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject)[key] : undefined;
}

function put(object: JsonObject, key: string, value: Json): true {
  (object as Record<string, Json>)[key] = value;
  return true;
}

/** Renames a member and keeps its place. */
function rename(object: Record<string, Json>, name: string, newName: string): true {
  for (const [key, value] of Object.entries(object)) {
    delete object[key];
    object[key === name ? newName : key] = value;
  }
  return true;
}

/** `TITLE_DESC` keeps its direction. */
function putInSort(sort: Json | undefined, at: number, mark: string): boolean {
  if (!Array.isArray(sort) || typeof sort[at] !== "string") return false;
  (sort as Json[])[at] = `${mark}${/_(?:ASC|DESC).*$/.exec(sort[at])?.[0] ?? ""}`;
  return true;
}

function putInGroups(groups: Json | undefined, standIn: string, mark: string): boolean {
  const at = Array.isArray(groups) ? groups.indexOf(standIn) : -1;
  if (at >= 0) (groups as Json[])[at] = mark;
  return at >= 0;
}
