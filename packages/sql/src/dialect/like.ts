/** Text for `like … escape '!'`: wildcards stand for themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, "!$&");
}

/** The smallest text behind all that begin with `prefix`, by code point; `undefined` where there is none. */
export function endOfPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix);
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) as number;
    if (point === 0x10ffff) continue;
    // Surrogates are no code points of their own.
    return points.join("") + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

/** `Σ` has two small forms, of which `foldCase` makes one; other text is the same in lower case. */
export function hasSigma(folded: string): boolean {
  return folded.includes("σ");
}
