import type { Json } from "../../util/json.ts";

/** The unescaped segments of a JSON Pointer (RFC 6901). Empty for the whole document. */
export type Pointer = readonly string[];

type Members = Readonly<Record<string, Json>>;

/** Parses a JSON Pointer. Returns `undefined` if it is malformed. */
export function parsePointer(text: string): Pointer | undefined {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function writePointer(pointer: Pointer): string {
  return pointer.map((segment) => `/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Returns the value at a location; `undefined` if it doesn't exist. */
export function readAt(document: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = document;
  for (const segment of pointer) {
    if (isList(value)) value = value[indexOf(segment, value.length - 1) ?? -1];
    else if (isMembers(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

/**
 * Adds a value to the document in place (RFC 6902 §4.1): inserts into lists and overwrites members. Returns the number
 * of moved values; `undefined` if the location doesn't exist, without changing anything.
 */
export function addAt(document: Json, pointer: Pointer, value: Json): number | undefined {
  const [holder, last] = placeOf(document, pointer);
  if (isList(holder)) {
    const index = last === "-" ? holder.length : indexOf(last, holder.length);
    if (index === undefined) return undefined;
    const moved = holder.length - index;
    (holder as Json[]).splice(index, 0, value);
    return moved + 1;
  }
  if (!isMembers(holder)) return undefined;
  setMember(holder, last, value);
  return 1;
}

/** Replaces an existing value (§4.3), without moving others. */
export function replaceAt(document: Json, pointer: Pointer, value: Json): void {
  const [holder, last] = placeOf(document, pointer);
  if (isList(holder)) (holder as Json[])[Number(last)] = value;
  else if (isMembers(holder)) setMember(holder, last, value);
}

/** Removes a value from the document in place (§4.2). Returns the same as `addAt`. */
export function removeAt(document: Json, pointer: Pointer): number | undefined {
  const [holder, last] = placeOf(document, pointer);
  if (isList(holder)) {
    const index = indexOf(last, holder.length - 1);
    if (index === undefined) return undefined;
    (holder as Json[]).splice(index, 1);
    return holder.length - index + 1;
  }
  if (!isMembers(holder) || !Object.hasOwn(holder, last)) return undefined;
  delete (holder as Record<string, Json>)[last];
  return 1;
}

/** Returns the container of a location, if it exists, and the last segment. */
function placeOf(document: Json, pointer: Pointer): readonly [holder: Json | undefined, last: string] {
  return [readAt(document, pointer.slice(0, -1)), pointer.at(-1) ?? ""];
}

/** Defines `__proto__` like any other member. */
function setMember(members: Members, name: string, value: Json): void {
  Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Parses digits without leading zeros (RFC 6901 §4). */
function indexOf(segment: string, most: number): number | undefined {
  if (!/^(0|[1-9]\d{0,9})$/.test(segment)) return undefined;
  const index = Number(segment);
  return index <= most ? index : undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isMembers(value: Json | undefined): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
