import { hash } from "node:crypto";
import type { Json } from "../util/json.ts";
import { canonicalJson } from "../util/canonical-json.ts";

/** What is versioned: by the field that counts, or by all fields that anybody may see. */
export interface Versioned {
  readonly version?: string | undefined;
  readonly visibleFields: readonly { readonly name: string }[];
}

/** Of frozen rows that were read: they cannot change any more. */
const KNOWN = new WeakMap<Readonly<Record<string, Json>>, string>();

/**
 * Names the state of a row: its own count of writes, or 27 characters that change whenever one of the fields does, internal ones excepted. Members of
 * JSON values may come back from a store in another order, so their order has no part in it.
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

/** The same for who may not see some fields: it changes with the others alone. */
export function partVersion(
  { version, visibleFields }: Versioned,
  row: Readonly<Record<string, Json>>,
  hidden: ReadonlySet<string>,
): string {
  if (version !== undefined && !hidden.has(version)) return JSON.stringify(row[version]);
  const seen = visibleFields.filter(({ name }) => !hidden.has(name));
  // With their names: another caller's hidden fields make another list.
  return digest(seen.map(({ name }) => [name, comparable(row[name])]));
}

function hashVersion({ visibleFields }: Versioned, row: Readonly<Record<string, Json>>): string {
  const values: unknown[] = [];
  for (const { name } of visibleFields) values.push(comparable(row[name]));
  return digest(values);
}

/** An object in a list of its own, so that no string can be taken for its text. */
function comparable(value: Json = null): Json | readonly [string] {
  return typeof value === "object" && value !== null ? [canonicalJson(value)] : value;
}

/** A validator, not a secret: nobody gains by making two rows collide (RFC 9110 §8.8). */
function digest(values: readonly unknown[]): string {
  return hash("sha1", JSON.stringify(values), "base64url");
}
