import { closestName } from "../../util/closest-name.ts";
import type { Report } from "./draft.ts";

/** An object literal, as a config is one. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entries of an optional object of the config; anything else is a mistake. */
export function readEntries(value: unknown, at: string, report: Report): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  if (isObject(value)) return Object.entries(value);
  report(at, "It is not an object.", "Write an object, or leave it out.");
  return [];
}

/** A list of names of the config, each of which must be known. */
export function readNames(value: unknown, known: Iterable<string>, at: string, report: Report): readonly string[] {
  if (value === undefined) return [];
  const names = [...known];
  if (!Array.isArray(value)) {
    report(at, "It is not a list.", `Write a list of names: ["${names[0] ?? "name"}"].`);
    return [];
  }
  return value.filter((name): name is string => {
    if (typeof name === "string" && names.includes(name)) return true;
    report(at, `There is no field ${quote(name)}.`, suggest(name, names));
    return false;
  });
}

/** Reports members that nobody reads: a misspelt option must not be ignored. */
export function checkMembers(config: object, known: readonly string[], at: string, report: Report): void {
  for (const name of Object.keys(config)) {
    if (known.includes(name)) continue;
    report(`${at}.${name}`, `There is no option ${quote(name)}.`, suggest(name, known));
  }
}

export function quote(name: unknown): string {
  return typeof name === "string" ? `'${name}'` : (JSON.stringify(name) ?? String(name));
}

/** What was most likely meant, or all that there is. */
export function suggest(name: unknown, known: readonly string[]): string {
  const closest = typeof name === "string" ? closestName(name, known) : undefined;
  if (closest !== undefined) return `Did you mean '${closest}'?`;
  return known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`;
}

export function readText(value: unknown, at: string, report: Report): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  report(at, "It is not a string.", "Write a string, or leave it out.");
  return undefined;
}
