import type { Json } from "./json.ts";

/** Returns a deep copy, with less overhead than `structuredClone`. */
export function cloneJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const copy: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    // An assignment to `__proto__` would set the prototype.
    if (name === "__proto__")
      Object.defineProperty(copy, name, {
        value: cloneJson(inner),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = cloneJson(inner);
  }
  return copy;
}
