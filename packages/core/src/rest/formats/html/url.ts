import type { View } from "../format.ts";

type Asked = Pick<View, "prefix" | "path" | "query">;

function pairsOf({ query }: Asked): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(query)];
}

/** Returns the last value of a parameter. */
export function parameterOf(view: Asked, name: string): string | undefined {
  return pairsOf(view).findLast(([known]) => known === name)?.[1];
}

/** Returns the URL of the same list with other parameters, starting at the first page. */
export function withParameters(view: Asked, changes: Readonly<Record<string, string>>): string {
  const kept = pairsOf(view).filter(([name]) => !(name in changes) && !isPlace(name));
  return `${view.prefix}${view.path}?${writeParameters([...kept, ...Object.entries(changes)])}`;
}

export function writeParameters(pairs: Iterable<readonly [string, string]>): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return query.toString();
}

/** Returns the parameters that a form must send in addition to its own inputs. */
export function keptParameters(view: Asked, asked: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return pairsOf(view).filter(([name, value]) => !asked.has(name) && !isPlace(name) && value !== "");
}

function isPlace(name: string): boolean {
  return name === "page[after]" || name === "page[before]" || name === "page[offset]";
}
