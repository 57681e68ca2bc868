/** NUL, which PostgreSQL keeps in no text, and half a surrogate pair, which has no UTF-8. */
const WRONG = /\0|\p{Surrogate}/u;

/** What is wrong with a text, or with one within a value: no database is to be asked for it. */
export function textMistake(value: unknown): string | undefined {
  if (typeof value === "string") {
    const [found] = WRONG.exec(value) ?? [];
    if (found === undefined) return undefined;
    return found === "\0"
      ? "has a NUL in it, which no text may have"
      : "has half a surrogate pair in it, which is no Unicode text";
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
