import type { Issue } from "../errors/bifocal-error.ts";
import type { Json } from "../util/json.ts";

/** Describes the problem if a value is or contains text that databases can't store; otherwise undefined. */
export function textMistake(value: unknown): string | undefined {
  if (typeof value === "string") {
    // PostgreSQL can't store NUL, and an unpaired surrogate has no UTF-8 encoding.
    if (value.includes("\0")) return "contains a NUL character, which is not allowed";
    return value.isWellFormed() ? undefined : "contains an unpaired surrogate, which is not valid Unicode";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const inner of value) {
      const mistake = textMistake(inner);
      if (mistake !== undefined) return mistake;
    }
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const mistake = textMistake(name) ?? textMistake(inner);
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

/**
 * Returns the issue of a value that its schema accepted but that can't be stored: invalid Unicode, or a key that no URL
 * can contain.
 *
 * @param keyFields - number of fields of the key if this is one of them, otherwise 0
 */
export function textProblem(name: string, value: Json, keyFields: number): Issue | undefined {
  const mistake = textMistake(value);
  if (mistake !== undefined) return { path: [name], message: `'${name}' ${mistake}.`, code: "invalid_text" };
  if (typeof value !== "string" || keyFields === 0) return undefined;
  // Path segments of dots are resolved against the path (RFC 3986 §5.2.4).
  const isDots = keyFields === 1 && (value === "." || value === "..");
  if (value !== "" && !isDots) return undefined;
  return { path: [name], message: `'${name}' is the key. It can't be empty, '.' or '..'.`, code: "invalid_key" };
}
