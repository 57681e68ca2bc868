/** Freezes plain objects, lists and the values of maps. Class instances, schemas and resources aren't frozen. */
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
