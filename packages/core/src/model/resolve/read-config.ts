import { closestName } from "../../util/closest-name.ts";
import type { Report } from "./draft.ts";

/** Whether a value is an object with members. A promise has none, so everything in it would be ignored. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Promise);
}

/** Returns the entries of an optional object in the config, and reports any other value. */
export function readEntries(value: unknown, at: string, report: Report): readonly (readonly [string, unknown])[] {
  if (value === undefined) return [];
  if (isObject(value)) return Object.entries(value);
  report(at, "Expected an object.", "Pass an object, or remove the option.");
  return [];
}

/** Reads a list of names in the config, and reports unknown ones. */
export function readNames(value: unknown, known: Iterable<string>, at: string, report: Report): readonly string[] {
  if (value === undefined) return [];
  const names = [...known];
  if (!Array.isArray(value)) {
    report(at, "Expected a list.", `Pass a list of names: ["${names[0] ?? "name"}"].`);
    return [];
  }
  return value.filter((name): name is string => {
    if (typeof name === "string" && names.includes(name)) return true;
    report(at, `Unknown field ${quoteName(name)}.`, suggest(name, names));
    return false;
  });
}

/** Reports unknown members, so that misspelled options aren't ignored. */
export function checkMembers(config: object, known: readonly string[], at: string, report: Report): void {
  for (const name of Object.keys(config)) {
    if (known.includes(name)) continue;
    report(`${at}.${name}`, `Unknown option ${quoteName(name)}.`, suggest(name, known));
  }
}

export function quoteName(name: unknown): string {
  return typeof name === "string" ? `'${name}'` : (JSON.stringify(name) ?? String(name));
}

/** Suggests the closest known name, or lists all of them. */
export function suggest(name: unknown, known: readonly string[]): string {
  const closest = typeof name === "string" ? closestName(name, known) : undefined;
  if (closest !== undefined) return `Did you mean '${closest}'?`;
  return known.length === 0 ? "No names are defined." : `Available: ${known.join(", ")}.`;
}

export function readText(value: unknown, at: string, report: Report): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  report(at, "Expected a string.", "Pass a string, or remove the option.");
  return undefined;
}
