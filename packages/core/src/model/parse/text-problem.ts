import type { Issue } from "../../errors/bifocal-error.ts";
import type { Json } from "../../util/json.ts";

/** What is wrong with a value that its schema took: text that is none, or a key that no address could have. */
export function textProblem(name: string, value: Json, key: readonly string[]): Issue | undefined {
  if (hasHalfPair(value)) {
    const message = `'${name}' has half a surrogate pair in it, which is no Unicode text.`;
    return { path: [name], message, code: "invalid_text" };
  }
  if (typeof value !== "string" || !key.includes(name)) return undefined;
  // A path segment of dots means another path (RFC 3986 §5.2.4).
  const isDots = key.length === 1 && (value === "." || value === "..");
  if (value !== "" && !isDots) return undefined;
  return { path: [name], message: `'${name}' is the key: it cannot be empty, '.' or '..'.`, code: "invalid_key" };
}

function hasHalfPair(value: Json): boolean {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(hasHalfPair);
  return Object.entries(value).some(([name, one]) => hasHalfPair(name) || hasHalfPair(one));
}
