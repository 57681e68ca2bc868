/** A full-text search. All words must occur in the searched fields; they are folded and distinct. */
export interface Search {
  /** Whole words. */
  readonly words: readonly string[];
  /** The start of a word: the last word of the request. */
  readonly start: string;
}
