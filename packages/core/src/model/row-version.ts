import { hash } from "../runtime/crypto.ts";
import type { Json } from "../util/json.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import { stringifyRow } from "../util/stringify-row.ts";

/** The fields that determine a version: the counting field, or all visible fields that stores hold. */
export interface Versioned {
  readonly version?: string | undefined;
  readonly storedFields: readonly { readonly name: string }[];
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

/** The entity tags of frozen rows. Always the same string, so that comparing and hashing it costs little. */
const TAGS = new WeakMap<Readonly<Record<string, Json>>, string>();

/** Returns the version of a row as a strong entity tag (RFC 9110 §8.8.3). */
export function rowTag(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  const known = TAGS.get(row);
  if (known !== undefined) return known;
  const tag = `"${rowVersion(versioned, row)}"`;
  if (Object.isFrozen(row)) TAGS.set(row, tag);
  return tag;
}

/** Returns the version without caching it, for a row that is about to be replaced. */
export function versionOnce(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  return versioned.version === undefined ? (KNOWN.get(row) ?? hashVersion(versioned, row)) : rowVersion(versioned, row);
}

export interface FreshVersion {
  readonly version: string;
  /** The JSON text of the row, if the version was computed from it. */
  readonly text?: string;
}

/**
 * Returns the version without caching it. Most written rows aren't read again soon, and caching costs more than
 * hashing.
 */
export function freshVersion(versioned: Versioned, row: Readonly<Record<string, Json>>): FreshVersion {
  if (versioned.version !== undefined) return { version: rowVersion(versioned, row) };
  const text = canonicalText(versioned, row);
  if (text === undefined) return { version: hashVersion(versioned, row) };
  return { version: hashText(text), text };
}

/** Returns the version for a caller that can't see some fields. It only changes with the visible ones. */
export function partVersion(
  { version, storedFields }: Versioned,
  row: Readonly<Record<string, Json>>,
  hidden: ReadonlySet<string>,
): string {
  if (version !== undefined && !hidden.has(version)) return JSON.stringify(row[version]);
  const seen = storedFields.filter(({ name }) => !hidden.has(name));
  // Includes the names, because another caller may see other fields.
  return hashText(JSON.stringify(seen.map(({ name }) => [name, comparable(row[name])])));
}

function hashVersion(versioned: Versioned, row: Readonly<Record<string, Json>>): string {
  return hashText(canonicalText(versioned, row) ?? orderedText(versioned, row));
}

/** Returns the JSON text of a row if it is the text of its version too: all visible fields in their order. */
function canonicalText({ storedFields }: Versioned, row: Readonly<Record<string, Json>>): string | undefined {
  let index = 0;
  for (const name in row) {
    if (storedFields[index]?.name !== name) return undefined;
    const value = row[name];
    if (typeof value === "object" ? !hasOneText(value) : value === undefined) return undefined;
    index += 1;
  }
  return index === storedFields.length ? stringifyRow(row) : undefined;
}

function orderedText({ storedFields }: Versioned, row: Readonly<Record<string, Json>>): string {
  const members = storedFields.map(({ name }) => `${JSON.stringify(name)}:${canonicalJson(row[name])}`);
  return `{${members.join(",")}}`;
}

/** Whether equal values have equal text: null and lists of scalars. The members of objects can have any order. */
function hasOneText(value: Json & (object | null)): boolean {
  if (value === null) return true;
  if (!Array.isArray(value)) return false;
  // V8 iterates over a frozen list several times slower.
  for (let index = 0; index < value.length; index++) {
    if (typeof value[index] === "object" && value[index] !== null) return false;
  }
  return true;
}

function comparable(value: Json = null): Json | readonly [string] {
  // Objects are wrapped in a list, so that a string can't equal their text.
  return typeof value === "object" && value !== null ? [canonicalJson(value)] : value;
}

/** Creates a validator (RFC 9110 §8.8). It isn't secret, but collisions must be hard to construct (docs/adr/0017). */
function hashText(text: string): string {
  return hash("sha1", text, "base64url");
}
