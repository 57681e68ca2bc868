/** Only the first characters of a text are searched, and only the first ones of a word count. */
export const MAX_SEARCHED_TEXT = 100_000;
export const MAX_WORD = 100;

/**
 * The code points of spaces, punctuation and symbols. All other characters belong to words. The list doesn't depend on
 * the version of Unicode, so that every database separates words in the same way.
 */
const SEPARATORS: readonly (readonly [from: number, to: number])[] = [
  // ASCII without digits and letters, and Latin-1 without letters and numbers.
  [0x00, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0xa9],
  [0xab, 0xb1],
  [0xb4, 0xb4],
  [0xb6, 0xb8],
  [0xbb, 0xbb],
  [0xbf, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  // General punctuation, currencies, arrows, mathematics, boxes and symbols, without enclosed numbers and letters.
  [0x2000, 0x206f],
  [0x20a0, 0x20cf],
  [0x2190, 0x245f],
  [0x2500, 0x2775],
  [0x2794, 0x2bff],
  [0x2e00, 0x2e2e],
  [0x2e30, 0x2e7f],
  // Punctuation of East Asia.
  [0x3000, 0x3004],
  [0x3008, 0x3020],
  [0x3030, 0x3030],
  [0xfe10, 0xfe1f],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  // Tiles, cards and emoji.
  [0x1f000, 0x1f0ff],
  [0x1f300, 0x1faff],
];
/** Accents and other marks, which searches ignore. */
const MARKS: readonly (readonly [from: number, to: number])[] = [[0x300, 0x36f]];

/** Writes the separators, or the marks, as the inside of a character class. */
export function characterClass(of: "separators" | "marks", escape: (codePoint: number) => string): string {
  return (of === "marks" ? MARKS : SEPARATORS).map(([from, to]) => `${escape(from)}-${escape(to)}`).join("");
}

const escape = (codePoint: number): string => `\\u{${codePoint.toString(16)}}`;
const SEPARATED = new RegExp(`[${characterClass("separators", escape)}]+`, "u");
const IS_SEPARATOR = new RegExp(`[${characterClass("separators", escape)}]`, "u");
const ALL_MARKS = new RegExp(`[${characterClass("marks", escape)}]+`, "gu");
const ASCII = /^[\0-\x7F]*$/;

/** Folds case and accents: `Élan` and `elan` are equal. */
export function foldWords(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFD").replace(ALL_MARKS, "").normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** Returns the distinct words of a text, folded. */
export function wordsOf(text: string): readonly string[] {
  const words = foldWords(searchedPart(text)).split(SEPARATED);
  return [...new Set(words.filter((word) => word !== "").map(cutWord))];
}

/** Whether a text contains a folded word, or one that starts with it. */
export function hasWord(text: string, word: string, isStart: boolean): boolean {
  const folded = foldWords(searchedPart(text));
  // A longer word counts as its first characters.
  const isEnough = isStart || isLongest(word);
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (!isBoundary(folded, at - 1)) continue;
    if (isEnough || isBoundary(folded, at + word.length)) return true;
  }
  return false;
}

/** Whether a character separates words. */
export function isSeparator(character: string): boolean {
  return IS_SEPARATOR.test(character);
}

/** Whether words that start with a word and are longer count as the same word. */
export function isLongest(word: string): boolean {
  return word.length >= MAX_WORD && Array.from(word).length >= MAX_WORD;
}

function searchedPart(text: string): string {
  if (text.length <= MAX_SEARCHED_TEXT) return text;
  return Array.from(text.slice(0, 2 * MAX_SEARCHED_TEXT))
    .slice(0, MAX_SEARCHED_TEXT)
    .join("");
}

function cutWord(word: string): string {
  return word.length <= MAX_WORD ? word : Array.from(word).slice(0, MAX_WORD).join("");
}

function isBoundary(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const unit = text.charCodeAt(at);
  // The second half of a pair follows its first half.
  const from = unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  return isSeparator(String.fromCodePoint(text.codePointAt(from) as number));
}
