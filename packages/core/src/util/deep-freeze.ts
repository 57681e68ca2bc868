/** Freezes plain objects, lists and what maps hold; instances of classes, schemas and resources stay as they are. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const inner of value.values()) deepFreeze(inner);
    return Object.freeze(value);
  }
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  if ("_zod" in value || "~bifocal" in value) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) if (typeof inner === "object") deepFreeze(inner);
  return value;
}
