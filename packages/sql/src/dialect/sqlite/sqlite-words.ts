import type { DatabaseSync } from "node:sqlite";
import { hasWord, wordsOf } from "@bifocal/core/store";

/** The SQL function that compares the words of a text. Only the store's own connections have it. */
export const HAS_WORD = "bifocal_has_word";
/** The SQL function that returns the words of a text, separated by spaces. */
export const WORDS = "bifocal_words";

export function addWordFunctions(db: DatabaseSync): void {
  db.function(HAS_WORD, { deterministic: true }, (text, word, isStart) => {
    return typeof text === "string" && hasWord(text, word as string, isStart === 1) ? 1 : 0;
  });
  db.function(WORDS, { deterministic: true }, (text) => (typeof text === "string" ? wordsOf(text).join(" ") : null));
}
