import { CoerceError, coerceText, coerceWire, lowerUuid } from "../model/coerce.ts";
import type { FieldModel, InputForm, Key, ResourceModel, Row } from "../model/model.ts";
import type { Json } from "../util/json.ts";
import { textMistake } from "../model/text-mistake.ts";
import { isPlainObject } from "../errors/refuse.ts";

/**
 * Parses an id from a URL segment or GraphQL `ID`: percent-encoded parts joined by commas. Returns `undefined` if the
 * text can't be an id of this resource.
 */
export function parseId(resource: ResourceModel, text: string): Key | undefined {
  const { key, fields } = resource;
  if (key.length === 1 && !text.includes(",")) return parsePart(fields.get(key[0] as string) as FieldModel, text);
  return parseParts(resource, text);
}

function parseParts(resource: ResourceModel, text: string): Key | undefined {
  const parts = text.split(",");
  if (parts.length !== resource.key.length) return undefined;
  return buildKey(resource, (field, index) => parsePart(field, parts[index] as string));
}

function parsePart({ type }: FieldModel, text: string): string | number | undefined {
  // The most frequent kind. It contains no character that is encoded.
  const uuid = type.kind === "uuid" ? lowerUuid(text) : undefined;
  if (uuid !== undefined) return uuid;
  if (text === "") return undefined;
  try {
    const value = coerceText(type, text.includes("%") ? decodeURIComponent(text) : text);
    return isPart(value) ? value : undefined;
  } catch (thrown) {
    return refuseMalformed(thrown);
  }
}

/** Text that no database can store can't be part of a key. */
function isPart(value: Json | undefined): value is string | number {
  return typeof value === "number" || (typeof value === "string" && textMistake(value) === undefined);
}

/** Formats a key as an id, which `parseId` parses. */
export function formatId(resource: ResourceModel, key: Key): string {
  if (typeof key === "number") return String(key);
  if (typeof key === "string") return encodePart(key);
  return resource.key.map((_, index) => encodePart(String(key[index]))).join(",");
}

/** Returns a key as JSON: the value itself, or the formatted id if the key has several fields. */
export function idValue(resource: ResourceModel, key: Key): string | number {
  return typeof key === "object" ? formatId(resource, key) : key;
}

export function keyOf(resource: ResourceModel, row: Row): Key {
  const { key } = resource;
  // Not destructured, because this runs for each row, and an index is faster.
  if (key.length === 1) return row[key[0] as string] as string | number;
  return key.map((name) => row[name] as string | number);
}

/** Converts a key to a key of a `Map`. Different keys have different tokens. */
export function keyToken(key: Key): string {
  if (typeof key === "string") return `s${key}`;
  return typeof key === "number" ? `n${key}` : JSON.stringify(key);
}

/** Lowers the id of a local call: the key field's value, or an object if the key has several fields. */
export function lowerKey(resource: ResourceModel, value: unknown): Key | undefined {
  if (resource.key.length > 1 && !isPlainObject(value)) return undefined;
  const values = value as Readonly<Record<string, unknown>>;
  return buildKey(resource, (field) => {
    const part = resource.key.length > 1 ? values[field.name] : value;
    if (part === undefined || part === null) return undefined;
    return coerceWire(field.type, field.codec === undefined ? part : field.codec.toStored(part));
  });
}

/**
 * Lowers an id in the input of a write: JSON as `idValue` returns it, or the text of an id. In a local call, the same
 * as `lowerKey`.
 */
export function lowerInputKey(resource: ResourceModel, value: unknown, form: InputForm): Key | undefined {
  if (form === "value") return lowerKey(resource, value);
  const field = resource.fields.get(resource.key[0] as string) as FieldModel;
  const isText = resource.key.length > 1 || (typeof value === "string" && NUMERIC.has(field.type.kind));
  if (isText) return typeof value === "string" ? parseId(resource, value) : undefined;
  return buildKey(resource, (own) => coerceWire(own.type, value));
}

const NUMERIC: ReadonlySet<string> = new Set(["integer", "number"]);

/** Builds a key from its parts. `part` may throw an error for malformed text. */
function buildKey(
  resource: ResourceModel,
  part: (field: FieldModel, index: number) => Json | undefined,
): Key | undefined {
  const parts: (string | number)[] = [];
  for (const [index, name] of resource.key.entries()) {
    try {
      const value = part(resource.fields.get(name) as FieldModel, index);
      if (!isPart(value)) return undefined;
      parts.push(value);
    } catch (thrown) {
      return refuseMalformed(thrown);
    }
  }
  return parts.length === 1 ? parts[0] : parts;
}

/** Returns undefined for errors that mean malformed text, and rethrows all others. */
function refuseMalformed(thrown: unknown): undefined {
  // URIError: a stray `%`. TypeError, RangeError: a codec received an invalid value.
  const isMalformed = thrown instanceof CoerceError || thrown instanceof URIError;
  if (!isMalformed && !(thrown instanceof TypeError) && !(thrown instanceof RangeError)) throw thrown;
}

/** Characters that need no encoding (RFC 3986 §2.3). Most keys contain only these. */
const UNRESERVED = /^[\w.~-]*$/;

/** An unpaired surrogate has no percent-encoding (RFC 3986 §2.5 encodes UTF-8). */
function encodePart(text: string): string {
  if (UNRESERVED.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"));
}
