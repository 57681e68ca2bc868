import { z } from "zod";
import { canonicalDecimal, describeDecimal } from "../util/decimal.ts";
import type { Json } from "../util/json.ts";
import { canonicalMoment } from "./canonical-moment.ts";
import type { WireDecimal, WireObject, WireType } from "./wire-type.ts";

/** A value has the wrong type. The message completes "…: ". */
export class CoerceError extends Error {
  override readonly name = "CoerceError";
}

interface Format {
  readonly accepts: (text: string) => boolean;
  readonly wants: string;
}

export function isUuid(text: string): boolean {
  return text.length === UUID_LENGTH && z.regexes.guid.test(text);
}

const UUID_LENGTH = 36;

/** Returns a UUID in lower case, or undefined if the text isn't a UUID. */
export function lowerUuid(text: string): string | undefined {
  // The most frequent form. The test costs as much as `toLowerCase` would.
  if (text.length === UUID_LENGTH && LOWER_UUID.test(text)) return text;
  return isUuid(text) ? text.toLowerCase() : undefined;
}

const LOWER_UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Creates the schema with the first value, because most programs need few of them. */
function formatOf(create: () => z.ZodType, wants: string): Format {
  let schema: z.ZodType | undefined;
  return { accepts: (text) => (schema ??= create()).safeParse(text).success, wants };
}

const FORMATS: Readonly<Partial<Record<WireType["kind"], Format>>> = {
  // Uses a regular expression instead of a schema for speed: every read of a single row parses an id.
  uuid: { accepts: isUuid, wants: "a UUID" },
  // The range of years is that of datetimes.
  date: formatOf(() => z.iso.date().regex(/^(?!0000)/), "a date such as 2026-01-31, in the years 0001 to 9999"),
  datetime: formatOf(
    () => z.iso.datetime({ offset: true, local: true }),
    "a date and time such as 2026-01-31T12:00:00Z",
  ),
  time: formatOf(() => z.iso.time(), "a time such as 12:00:00"),
  duration: formatOf(() => z.iso.duration(), "a duration such as P1DT12H"),
};

/** Converts the text of a URL to a value in stored form. Throws `CoerceError`. */
export function coerceText(type: WireType, text: string): Json {
  switch (type.kind) {
    case "integer":
      return coerceWire(type, /^-?\d{1,16}$/.test(text) ? Number(text) : text);
    case "number":
      return coerceWire(type, /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : text);
    case "boolean":
      return coerceWire(type, text === "true" ? true : text === "false" ? false : text);
    case "json":
    case "list":
    case "object":
      return coerceWire(type, parseJson(text));
    default:
      return coerceWire(type, text);
  }
}

/**
 * Checks a JSON value against a type and converts it to stored form. Unknown members are omitted. Throws `CoerceError`.
 */
export function coerceWire(type: WireType, raw: unknown): Json {
  if (raw === null && type.nullable) return null;
  switch (type.kind) {
    case "integer":
      if (typeof raw === "number" && Number.isSafeInteger(raw)) return raw;
      throw new CoerceError("expected an integer.");
    case "number":
      if (typeof raw === "number" && Number.isFinite(raw)) return raw;
      throw new CoerceError("expected a number.");
    case "bigint":
      return coerceDigits(raw);
    case "boolean":
      if (typeof raw === "boolean") return raw;
      throw new CoerceError("expected true or false.");
    case "json":
      return coerceJson(raw);
    case "enum":
      if (typeof raw === "string" && type.values.includes(raw)) return raw;
      throw new CoerceError(`expected one of ${type.values.join(", ")}.`);
    case "list":
      if (!Array.isArray(raw)) throw new CoerceError("expected a list.");
      return raw.map((item) => coerceWire(type.item, item));
    case "object":
      return coerceObject(type, raw);
    case "datetime":
      return coerceMoment(raw);
    case "decimal":
      return coerceDecimal(type, raw);
    case "uuid":
      // RFC 9562 §4: output in lower case, input in either case. Equal ids then have equal text.
      return coerceFormat(type.kind, raw).toLowerCase();
    default:
      return coerceFormat(type.kind, raw);
  }
}

function coerceMoment(raw: unknown): string {
  const stored = canonicalMoment(coerceFormat("datetime", raw));
  if (stored === undefined) throw new CoerceError("expected a date and time with at most microsecond precision.");
  return stored;
}

function coerceDecimal(type: WireDecimal, raw: unknown): string {
  const stored = typeof raw === "string" ? canonicalDecimal(raw, type) : undefined;
  if (stored === undefined) throw new CoerceError(`expected ${describeDecimal(type)}.`);
  return stored;
}

function coerceFormat(kind: WireType["kind"], raw: unknown): string {
  const format = FORMATS[kind];
  if (typeof raw !== "string") throw new CoerceError(`expected ${format?.wants ?? "a string"}.`);
  if (format !== undefined && !format.accepts(raw)) {
    throw new CoerceError(`expected ${format.wants}.`);
  }
  return raw;
}

/**
 * Whether a value of this type needs conversion: it can be written in several ways of which one is stored, or it can
 * hold a value that JSON or databases can't represent.
 */
export function hasStoredForm(type: WireType): boolean {
  if (type.kind === "list") return hasStoredForm(type.item);
  if (type.kind === "object") return type.members.some((member) => hasStoredForm(member.type));
  return STORED_FORMS.has(type.kind);
}

const STORED_FORMS: ReadonlySet<WireType["kind"]> = new Set(["json", "date", "datetime", "decimal", "uuid"]);

const MAX_DIGITS = 1_000;

function coerceDigits(raw: unknown): string {
  const isInteger = typeof raw === "bigint" || (typeof raw === "number" && Number.isSafeInteger(raw));
  const text = isInteger ? String(raw) : raw;
  if (typeof text === "string" && text.length <= MAX_DIGITS && /^-?\d+$/.test(text)) return BigInt(text).toString();
  throw new CoerceError("expected an integer, as a number or a string of digits.");
}

function coerceObject(type: WireObject, raw: unknown): Json {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw new CoerceError("expected an object.");
  const object: Record<string, Json> = {};
  for (const { name, type: member, optional } of type.members) {
    const value: unknown = Object.hasOwn(raw, name) ? (raw as Record<string, unknown>)[name] : undefined;
    if (value !== undefined) object[name] = coerceWire(member, value);
    else if (!optional) throw new CoerceError(`expected a value for '${name}'.`);
  }
  return object;
}

/** Copies a JSON value. Throws for other values, which `JSON.stringify` would silently change. */
function coerceJson(raw: unknown): Json {
  if (raw === null || typeof raw === "string" || typeof raw === "boolean") return raw;
  if (typeof raw === "number" && Number.isFinite(raw)) return raw;
  if (Array.isArray(raw)) return raw.map(coerceJson);
  const prototype: unknown = typeof raw === "object" ? Object.getPrototypeOf(raw) : undefined;
  if (prototype !== null && prototype !== Object.prototype) throw new CoerceError("expected a JSON value.");
  const entries = Object.entries(raw as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, coerceJson(value)]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CoerceError("expected JSON.");
  }
}
