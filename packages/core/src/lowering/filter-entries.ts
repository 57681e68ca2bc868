import { isPlainObject } from "../errors/refuse.ts";

type Entry = readonly [name: string, value: unknown];

/**
 * Returns the entries of a filter object sorted by name, so that equal filters lower to equal operations. A dotted name
 * from a URL is nested at its first segment: `author.name` becomes `name` within `author`.
 */
export function filterEntries(input: Readonly<Record<string, unknown>>, dots: boolean): readonly Entry[] {
  const names = Object.keys(input);
  if (dots && names.some((name) => name.includes("."))) return sortEntries(nestedEntries(input, names));
  if (names.length > 1) names.sort();
  return names.map((name) => [name, input[name]]);
}

function nestedEntries(input: Readonly<Record<string, unknown>>, names: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const name of names) {
    const dot = name.indexOf(".");
    const entry: Entry = dot < 0 ? [name, input[name]] : [name.slice(0, dot), { [name.slice(dot + 1)]: input[name] }];
    const at = entries.findIndex((other) => other[0] === entry[0] && areDisjoint(other[1], entry[1]));
    if (at < 0) entries.push(entry);
    else entries[at] = [entry[0], Object.assign(Object.create(null), entries[at]?.[1], entry[1])];
  }
  return entries;
}

function areDisjoint(a: unknown, b: unknown): boolean {
  return isPlainObject(a) && isPlainObject(b) && !Object.keys(b).some((name) => Object.hasOwn(a, name));
}

function sortEntries(entries: Entry[]): Entry[] {
  return entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
