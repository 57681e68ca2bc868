/**
 * Text as operators that ignore case compare it. The lower case of `Σ` depends on its place in a word, which a part of a
 * text does not show, so both forms are `σ`.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
