import type { View } from "../format.ts";

type Asked = Pick<View, "prefix" | "path" | "query">;

/** Returns the parameters of the query. The shorthand `filter[genre]=novel` becomes `filter[genre][eq]=novel`. */
export function allParameters({ query }: Asked): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(query)].map(([name, value]) => [
    name.replace(/\[\]$/, "").replace(SHORTHAND, "$&[eq]"),
    value,
  ]);
}

const SHORTHAND = /^filter\[[^[\]]+\]$/;

/** Returns the last value of a parameter. */
export function parameterOf(view: Asked, name: string): string | undefined {
  return allParameters(view).findLast(([known]) => known === name)?.[1];
}

/** Returns all values of a parameter. */
export function parametersOf(view: Asked, name: string): readonly string[] {
  return allParameters(view).flatMap(([known, value]) => (known === name ? [value] : []));
}

/** Returns the URL of the same list with other parameters, starting at the first page. Empty ones are removed. */
export function withParameters(view: Asked, changes: Readonly<Record<string, string>>): string {
  const kept = allParameters(view).filter(([name]) => !(name in changes) && !isPlace(name));
  const added = Object.entries(changes).filter(([, value]) => value !== "");
  const query = writeParameters([...kept, ...added]);
  return `${view.prefix}${view.path}${query === "" ? "" : `?${query}`}`;
}

/** Brackets and commas stay readable, as in the documentation. */
export function writeParameters(pairs: Iterable<readonly [string, string]>): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return query.toString().replaceAll("%5B", "[").replaceAll("%5D", "]").replaceAll("%2C", ",");
}

/** Returns the parameters that a form must send in addition to its own inputs. */
export function keptParameters(view: Asked, asked: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return allParameters(view).filter(([name, value]) => !asked.has(name) && !isPlace(name) && value !== "");
}

function isPlace(name: string): boolean {
  return name === "page[after]" || name === "page[before]" || name === "page[offset]";
}
