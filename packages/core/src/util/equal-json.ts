import type { Json } from "./json.ts";

/** Whether two values are equal JSON, regardless of the order of members (RFC 6902 §4.6). */
export function equalJson(one: Json, other: Json): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(other, name) &&
      equalJson((one as Record<string, Json>)[name] as Json, (other as Record<string, Json>)[name] as Json),
  );
}
