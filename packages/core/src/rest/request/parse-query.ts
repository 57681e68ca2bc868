import { quote, refuse } from "../../errors/refuse.ts";

/**
 * A query string as a tree: text, lists from repeated names, and objects from brackets. The objects have no prototype.
 */
export type QueryTree = { readonly [name: string]: QueryValue };
export type QueryValue = string | readonly string[] | QueryTree;

type Draft = { [name: string]: string | string[] | Draft };

const DEPTH = 24;

/**
 * Parses `filter[price][gte]=10&sort=-price`. `filter[genre][in][]=novel`, as axios, qs, Rails and PHP write lists, is the
 * same as the name without `[]`. Throws BAD_REQUEST if it is malformed or contradictory.
 */
export function parseQuery(query: string): QueryTree {
  const root = Object.create(null) as Draft;
  if (query === "") return root;
  for (const part of query.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    insert(root, parsePath(name), equals < 0 ? "" : decode(part.slice(equals + 1)));
  }
  return root;
}

/** `+` is a space, as in forms. The rest is percent-encoded UTF-8 (WHATWG URL §5.1). */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    return refuse([], "malformed", `${quote(text)} in the query string is not percent-encoded UTF-8.`);
  }
}

function parsePath(written: string): readonly string[] {
  const name = written.endsWith("[]") ? written.slice(0, -2) : written;
  const bracket = name.indexOf("[");
  // `[]` alone has no name.
  if (bracket < 0 && (name !== "" || written === "")) return [name];
  const rest = name.slice(bracket);
  if (bracket === 0 || !/^(\[[^[\]]+\])+$/.test(rest)) {
    return refuse([written], "malformed", `Invalid parameter ${quote(written)}. Use the form name[key][key].`);
  }
  const path = [name.slice(0, bracket), ...rest.slice(1, -1).split("][")];
  if (path.length > DEPTH)
    refuse([path[0] as string], "too_deep", `A parameter can be nested at most ${DEPTH} levels deep.`);
  return path;
}

function insert(root: Draft, path: readonly string[], value: string): void {
  let object = root;
  for (const [index, name] of path.entries()) {
    const before = object[name];
    if (index < path.length - 1) {
      if (before === undefined) object[name] = Object.create(null) as Draft;
      else if (typeof before === "string" || Array.isArray(before)) return contradict(path, name);
      object = object[name] as Draft;
    } else if (before === undefined) object[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else if (typeof before === "string") object[name] = [before, value];
    else contradict(path, name);
  }
}

function contradict(path: readonly string[], name: string): never {
  return refuse(
    path,
    "contradiction",
    `${quote(name)} appears both with and without a key in brackets. Use only one form.`,
  );
}
