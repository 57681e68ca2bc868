/**
 * Folds text for case-insensitive operators. Both lowercase forms of `Σ` become `σ`, because the right one depends on
 * the position in a word, which a fragment doesn't show.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
