import { BifocalError } from "../client-error.ts";
import { setEntries } from "../map-values.ts";
import { writeScalar } from "../id.ts";
import { isPlainObject } from "../plain-object.ts";

/** Writes a list query as a query string. Returns undefined if a URL can't express it: null, an empty list or object. */
export function writeQuery(query: Readonly<Record<string, unknown>>): string | undefined {
  const parts: string[] = [];
  return setEntries(query).every(([name, value]) => write(name, value, parts)) ? parts.join("&") : undefined;
}

/** Writes the part of a URL after the path. Throws BAD_REQUEST if a URL can't express the query. */
export function requireQuery(query: Readonly<Record<string, unknown>>): string {
  const text = writeQuery(query);
  if (text === undefined) {
    throw new BifocalError("BAD_REQUEST", "A URL can't express null, or an empty list or object.");
  }
  return text && `?${text}`;
}

function write(name: string, value: unknown, parts: string[]): boolean {
  if (Array.isArray(value)) {
    // Branches of `and` and `or` are numbered. Other lists repeat the name.
    const isBranches = value.some(isPlainObject);
    return value.length > 0 && value.every((one, index) => write(isBranches ? `${name}[${index}]` : name, one, parts));
  }
  if (isPlainObject(value)) {
    const members = setEntries(value);
    return members.length > 0 && members.every(([key, one]) => write(`${name}[${key}]`, one, parts));
  }
  if (value === null || value === undefined) return false;
  parts.push(`${encodeURIComponent(name)}=${writeScalar(value)}`);
  return true;
}
