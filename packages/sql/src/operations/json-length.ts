import type { Json, JsonObject } from "@bifocal/core/store";

/** Returns roughly the length of a value as JSON, without writing it. Stops counting at about `most`. */
export function jsonLength(value: Json, most: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let length = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && length <= most; at++)
      length += jsonLength(value[at] as Json, most - length) + 1;
    return length;
  }
  const members = value as JsonObject;
  for (const name in members) {
    length += name.length + 4 + jsonLength(members[name] ?? null, most - length);
    if (length > most) break;
  }
  return length;
}
