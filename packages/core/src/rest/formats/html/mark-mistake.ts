import type { Json, JsonObject } from "../../../util/json.ts";
import type { RequestMistake, RequestTexts } from "../format.ts";
import { html, type Markup } from "./markup.ts";

/** A GraphQL request with its mistake marked. */
export interface MarkedRequest {
  readonly document: Markup;
  readonly variables?: Markup;
}

/** A character of Unicode's private use, which no request contains. */
const MARK = "\uE000";
const PAGE_VARIABLES: Readonly<Record<string, string>> = {
  size: "first",
  after: "after",
  before: "before",
  offset: "offset",
};

/** Replaces the valid name or value with the mistake. Undefined if GraphQL has no such place. */
export function markMistake({ graphql }: RequestTexts, mistake: RequestMistake): MarkedRequest | undefined {
  if ("reason" in graphql) return undefined;
  const variables = JSON.parse(graphql.variables ?? "{}") as JsonObject;
  const isMarked = putInVariables(variables, mistake);
  const text = isMarked ? graphql.text : putInDocument(graphql.text, mistake);
  if (text === undefined) return undefined;
  const document = withMark(text, mistake);
  if (graphql.variables === undefined) return { document };
  return { document, variables: withMark(JSON.stringify(variables, undefined, 2), mistake) };
}

/** Shows the text of the mistake in place of the mark. */
function withMark(text: string, { kind, path, text: wrong }: RequestMistake): Markup {
  const isNumber = kind === "value" && /^-?\d+(\.\d+)?$/.test(wrong);
  const shown = kind === "name" && (path[0] === "sort" || path[0] === "group") ? constantCase(wrong) : wrong;
  const parts = (isNumber ? text.replace(`"${MARK}"`, MARK) : text).split(/(\uE000[^",\s]*)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part.replace(MARK, () => shown)}</mark>` : part))}`;
}

function constantCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

/** Puts the mark into the variables. Returns false if they don't have the place of the mistake. */
function putInVariables(variables: JsonObject, { path, kind, standIn }: RequestMistake): boolean {
  const [parameter = "", ...rest] = path;
  if (parameter === "sort") return putInSort(variables, Number(rest[0] ?? 0));
  if (parameter === "page") {
    const name = PAGE_VARIABLES[String(rest[0])];
    if (kind !== "value" || name === undefined || !(name in variables)) return false;
    return put(variables, name, MARK);
  }
  if (parameter === "group") return putInGroups(variables, constantCase(standIn));
  if (parameter !== "filter") return false;
  const keys = kind === "name" ? [...rest.slice(0, -1), standIn] : rest;
  const last = keys.pop();
  let place: Json | undefined = variables["filter"];
  for (const key of keys) place = childOf(place, String(key));
  if (typeof place !== "object" || place === null || Array.isArray(place) || !(String(last) in place)) return false;
  const parent = place as Record<string, Json>;
  if (kind === "name") return rename(parent, String(last));
  // The shorthand `filter[genre]=novel` has no operator.
  const value = parent[String(last)];
  const isShort = typeof value === "object" && value !== null && "eq" in value;
  return isShort ? put(value, "eq", MARK) : put(parent, String(last), MARK);
}

function childOf(value: Json | undefined, key: string): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject)[key] : undefined;
}

function put(object: JsonObject, key: string, value: Json): true {
  (object as Record<string, Json>)[key] = value;
  return true;
}

/** Renames a member and keeps its place. */
function rename(object: Record<string, Json>, name: string): true {
  for (const [key, value] of Object.entries(object)) {
    delete object[key];
    object[key === name ? MARK : key] = value;
  }
  return true;
}

/** `TITLE_DESC` keeps its direction. */
function putInSort({ sort }: JsonObject, at: number): boolean {
  if (!Array.isArray(sort) || typeof sort[at] !== "string") return false;
  (sort as Json[])[at] = `${MARK}${/_(?:ASC|DESC).*$/.exec(sort[at])?.[0] ?? ""}`;
  return true;
}

function putInGroups({ groupBy }: JsonObject, standIn: string): boolean {
  const at = Array.isArray(groupBy) ? groupBy.indexOf(standIn) : -1;
  if (at >= 0) (groupBy as Json[])[at] = MARK;
  return at >= 0;
}

/** Puts the mark into the selection, whose names follow the arguments. */
function putInDocument(document: string, { path, kind, standIn }: RequestMistake): string | undefined {
  if (kind !== "name" || (path[0] !== "fields" && path[0] !== "include")) return undefined;
  const at = [...document.matchAll(new RegExp(`^ +(${standIn})\\b`, "gm"))].at(-1);
  if (at === undefined) return undefined;
  const start = at.index + at[0].length - standIn.length;
  return `${document.slice(0, start)}${MARK}${document.slice(start + standIn.length)}`;
}
