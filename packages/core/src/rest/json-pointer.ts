import type { Json } from "../util/json.ts";

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

/** The document with a value added (RFC 6902 §4.1): lists make room, members are overwritten. */
export function addAt(document: Json, pointer: Pointer, value: Json): Json | undefined {
  return changeAt(document, pointer, {
    whole: () => value,
    list: (list, segment) => {
      const index = segment === "-" ? list.length : indexOf(segment, list.length);
      return index === undefined ? undefined : [...list.slice(0, index), value, ...list.slice(index)];
    },
    // A place that is there keeps its place, `__proto__` is a name like any other.
    members: (members, name) => Object.fromEntries(new Map([...Object.entries(members), [name, value]])),
  });
}

/** The document without a value (§4.2). Without the whole of it, it is `null`. */
export function removeAt(document: Json, pointer: Pointer): Json | undefined {
  return changeAt(document, pointer, {
    whole: () => null,
    list: (list, segment) => {
      const index = indexOf(segment, list.length - 1);
      return index === undefined ? undefined : [...list.slice(0, index), ...list.slice(index + 1)];
    },
    members: (members, name) =>
      Object.hasOwn(members, name)
        ? Object.fromEntries(Object.entries(members).filter(([other]) => other !== name))
        : undefined,
  });
}

interface Change {
  readonly whole: () => Json;
  readonly list: (list: readonly Json[], segment: string) => Json | undefined;
  readonly members: (members: Members, name: string) => Json | undefined;
}

/** Copies what lies on the way and changes its end; `undefined` where the way ends before. */
function changeAt(document: Json, pointer: Pointer, change: Change): Json | undefined {
  const [segment, ...rest] = pointer;
  if (segment === undefined) return change.whole();
  const isLast = rest.length === 0;
  if (isList(document)) {
    if (isLast) return change.list(document, segment);
    const index = indexOf(segment, document.length - 1);
    const inner = index === undefined ? undefined : changeAt(document[index] as Json, rest, change);
    return inner === undefined ? undefined : document.map((one, at) => (at === index ? inner : one));
  }
  if (!isMembers(document)) return undefined;
  if (isLast) return change.members(document, segment);
  if (!Object.hasOwn(document, segment)) return undefined;
  const inner = changeAt(document[segment] as Json, rest, change);
  if (inner === undefined) return undefined;
  return Object.fromEntries(Object.entries(document).map(([name, one]) => [name, name === segment ? inner : one]));
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
