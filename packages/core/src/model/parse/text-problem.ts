import type { Issue } from "../../errors/bifocal-error.ts";
import type { Json } from "../../util/json.ts";
import { textMistake } from "../text-mistake.ts";

/**
 * Returns the issue of a value that its schema accepted but that can't be stored: invalid Unicode, or a key that no URL
 * can contain.
 */
export function textProblem(name: string, value: Json, key: readonly string[]): Issue | undefined {
  const mistake = textMistake(value);
  if (mistake !== undefined) return { path: [name], message: `'${name}' ${mistake}.`, code: "invalid_text" };
  if (typeof value !== "string" || !key.includes(name)) return undefined;
  // Path segments of dots are resolved against the path (RFC 3986 §5.2.4).
  const isDots = key.length === 1 && (value === "." || value === "..");
  if (value !== "" && !isDots) return undefined;
  return { path: [name], message: `'${name}' is the key. It can't be empty, '.' or '..'.`, code: "invalid_key" };
}
