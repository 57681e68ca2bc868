import type { Issue } from "../../errors/bifocal-error.ts";
import { closestName } from "../../util/closest-name.ts";

type Path = readonly (string | number)[];

/**
 * Returns an issue for each member of an input that its schema dropped, because no part of an input may be ignored.
 */
export function lostKeys(given: unknown, parsed: unknown, path: Path, what: string): readonly Issue[] {
  if (given === parsed || typeof given !== "object" || given === null) return [];
  const issues: Issue[] = [];
  collect(given, parsed, path, what, issues);
  return issues;
}

function collect(given: unknown, parsed: unknown, path: Path, what: string, issues: Issue[]): void {
  if (given === parsed) return;
  if (Array.isArray(given) && Array.isArray(parsed) && given.length === parsed.length) {
    for (const [index, item] of given.entries()) collect(item, parsed[index], [...path, index], what, issues);
    return;
  }
  if (!isPlain(given) || !isPlain(parsed)) return;
  const known = Object.keys(parsed);
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(parsed, name)) collect(value, parsed[name], [...path, name], what, issues);
    else if (value !== undefined) issues.push(unrecognized(name, [...path, name], what, known));
  }
}

/** Returns the issue for an unknown name. */
export function unrecognized(name: string, path: Path, what: string, known: readonly string[]): Issue {
  const closest = closestName(name, known);
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  const hint =
    closest === undefined
      ? known.length > 0
        ? ` Available: ${known.join(", ")}.`
        : ""
      : ` Did you mean '${closest}'?`;
  return { path, message: `Unknown field '${shown}' in ${what}.${hint}`, code: "unrecognized_key" };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
