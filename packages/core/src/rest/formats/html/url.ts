import type { View } from "../format.ts";

type Asked = Pick<View, "prefix" | "path" | "query">;

function pairsOf({ query }: Asked): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(query)];
}

/** The last value of a parameter. */
export function parameterOf(view: Asked, name: string): string | undefined {
  return pairsOf(view).findLast(([known]) => known === name)?.[1];
}

/** The same list with other parameters, from its first page on. */
export function withParameters(view: Asked, changes: Readonly<Record<string, string>>): string {
  const kept = pairsOf(view).filter(([name]) => !(name in changes) && !isPlace(name));
  return `${view.prefix}${view.path}?${writeParameters([...kept, ...Object.entries(changes)])}`;
}

export function writeParameters(pairs: Iterable<readonly [string, string]>): string {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) query.append(name, value);
  return query.toString();
}

/** Parameters that a form does not ask for, to be sent with it. */
export function keptParameters(view: Asked, asked: ReadonlySet<string>): readonly (readonly [string, string])[] {
  return pairsOf(view).filter(([name, value]) => !asked.has(name) && !isPlace(name) && value !== "");
}

function isPlace(name: string): boolean {
  return name === "page[after]" || name === "page[before]" || name === "page[offset]";
}
