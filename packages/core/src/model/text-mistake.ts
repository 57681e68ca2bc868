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
