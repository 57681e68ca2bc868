/** Escapes the wildcards in a text for `like … escape '!'`. */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, "!$&");
}

/**
 * Returns the smallest text, in code point order, that sorts after every text with this prefix; `undefined` if there is
 * no such text.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) as number;
    if (point === 0x10ffff) continue;
    // The surrogates U+D800 to U+DFFF can't occur as code points in text.
    return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

/** `Σ` has two lowercase forms, which `foldCase` merges into one. All other text folds to its lowercase form. */
export function hasSigma(folded: string): boolean {
  return folded.includes("σ");
}
