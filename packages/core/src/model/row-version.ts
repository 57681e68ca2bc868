import { hash } from "node:crypto";
import type { Json } from "../util/json.ts";
import { canonicalJson } from "../util/canonical-json.ts";

/** The fields that determine a version: the counting field, or all visible fields. */
export interface Versioned {
  readonly version?: string | undefined;
  readonly visibleFields: readonly { readonly name: string }[];
}

/** The versions of frozen rows, which can't change. */
const KNOWN = new WeakMap<Readonly<Record<string, Json>>, string>();

/**
 * Returns the version of a row: its write counter, or a hash of 27 characters over all fields except internal ones. The
 * order of members in JSON values is ignored, because stores don't preserve it.
 */
export function rowVersion(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  if (versioned.version !== undefined) return JSON.stringify(row[versioned.version]);
  const known = KNOWN.get(row);
  if (known !== undefined) return known;
  const version = hashVersion(versioned, row);
  if (Object.isFrozen(row)) KNOWN.set(row, version);
  return version;
}

/**
 * Returns the version without caching it. Most written rows aren't read again soon, and caching costs more than
 * hashing.
 */
export function freshVersion(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  return versioned.version === undefined ? hashVersion(versioned, row) : rowVersion(versioned, row);
}

/** Returns the version for a caller that can't see some fields. It only changes with the visible ones. */
export function partVersion(
  { version, visibleFields }: Versioned,
  row: Readonly<Record<string, Json>>,
  hidden: ReadonlySet<string>,
): string {
  if (version !== undefined && !hidden.has(version)) return JSON.stringify(row[version]);
  const seen = visibleFields.filter(({ name }) => !hidden.has(name));
  // Includes the names, because another caller may see other fields.
  return digest(seen.map(({ name }) => [name, comparable(row[name])]));
}

function hashVersion({ visibleFields }: Versioned, row: Readonly<Record<string, Json>>): string {
  const values: unknown[] = [];
  for (const { name } of visibleFields) values.push(comparable(row[name]));
  return digest(values);
}

/** Objects are wrapped in a list, so that a string can't equal their text. */
function comparable(value: Json = null): Json | readonly [string] {
  return typeof value === "object" && value !== null ? [canonicalJson(value)] : value;
}

/** The hash is a validator (RFC 9110 §8.8), not a secret, so collisions don't matter for security. */
function digest(values: readonly unknown[]): string {
  return hash("sha1", JSON.stringify(values), "base64url");
}
