import { hash } from "node:crypto";
import type { Json } from "./json.ts";
import { canonicalJson } from "./canonical-json.ts";

/** What is versioned: by the field that counts, or by all fields. */
export interface Versioned {
  readonly version?: string | undefined;
  readonly fields: { values(): Iterable<{ readonly name: string }> };
}

/** Of frozen rows that were read: they cannot change any more. */
const KNOWN = new WeakMap<Readonly<Record<string, Json>>, string>();

/**
 * Names the state of a row: its own count of writes, or 27 characters that change whenever one of the fields does. Members of JSON values may come
 * back from a store in another order, so their order has no part in it.
 */
export function rowVersion(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  if (versioned.version !== undefined) return JSON.stringify(row[versioned.version]);
  const known = KNOWN.get(row);
  if (known !== undefined) return known;
  const version = hashVersion(versioned, row);
  if (Object.isFrozen(row)) KNOWN.set(row, version);
  return version;
}

/** The same without keeping it: most rows that are written are not asked for soon, and to keep costs more than to make. */
export function freshVersion(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  return versioned.version === undefined ? hashVersion(versioned, row) : rowVersion(versioned, row);
}

function hashVersion({ fields }: Versioned, row: Readonly<Record<string, Json>>): string {
  const values: (Json | readonly [string])[] = [];
  for (const { name } of fields.values()) {
    const value = row[name] ?? null;
    // In a list of its own, so that no string can be taken for the text of an object.
    values.push(typeof value === "object" && value !== null ? [canonicalJson(value)] : value);
  }
  // A validator, not a secret: nobody gains by making two rows collide (RFC 9110 §8.8).
  return hash("sha1", JSON.stringify(values), "base64url");
}
