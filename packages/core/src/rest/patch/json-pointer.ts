import type { Json } from "../../util/json.ts";

/** The segments of a JSON Pointer (RFC 6901), unescaped. Empty: the whole document. */
export type Pointer = readonly string[];

type Members = Readonly<Record<string, Json>>;

/** `undefined`: it is none. */
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

/** The value at a place; `undefined` where there is none. */
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
 * Adds a value to the document, which is changed (RFC 6902 §4.1): lists make room, members are overwritten. Returns how many
 * values were moved for it; `undefined` where there is no such place, and nothing is changed.
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

/** Puts a value in the place of one that is there (§4.3); no other is moved. */
export function replaceAt(document: Json, pointer: Pointer, value: Json): void {
  const [holder, last] = placeOf(document, pointer);
  if (isList(holder)) (holder as Json[])[Number(last)] = value;
  else if (isMembers(holder)) setMember(holder, last, value);
}

/** Takes a value out of the document, which is changed (§4.2). Returns as `addAt` does. */
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

/** What holds the place, if it is there, and the last segment. */
function placeOf(document: Json, pointer: Pointer): readonly [holder: Json | undefined, last: string] {
  return [readAt(document, pointer.slice(0, -1)), pointer.at(-1) ?? ""];
}

/** `__proto__` is a name like any other. */
function setMember(members: Members, name: string, value: Json): void {
  Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Digits without leading zeros (RFC 6901 §4). */
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
