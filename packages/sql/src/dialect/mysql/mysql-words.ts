import { characterClass, foldWords, isLongest, isSeparator } from "@bifocal/core/store";

/** ICU's and PCRE's notation, which MySQL and MariaDB share. */
const escape = (codePoint: number): string => `\\x{${codePoint.toString(16)}}`;
const MARKS = `[${characterClass("marks", escape)}]*`;

/** The code points whose folding differs from them. Han and Hangul are left out, because they fold to themselves. */
const FOLDED: readonly (readonly [from: number, to: number])[] = [
  [0x41, 0x33ff],
  [0xa000, 0xabff],
  [0xf900, 0xffff],
  [0x10000, 0x1ffff],
  [0x2f800, 0x2fa1f],
];

interface Variants {
  /** The code points that fold to a text of one or more characters. */
  readonly of: ReadonlyMap<string, readonly number[]>;
  /** The code points that fold to more characters than the text and start with it. */
  readonly startingWith: ReadonlyMap<string, readonly number[]>;
  /** The lengths of the texts in `of` in characters, without 1, longest first. */
  readonly lengths: readonly number[];
  /** The code points that a character is composed with, without marks. */
  readonly composing: ReadonlyMap<string, readonly number[]>;
  /** Further code points that separate words, because they fold to separators. */
  readonly separators: string;
}

let variants: Variants | undefined;

/**
 * Returns the regular expression for texts that have a word, or one that starts with it. MySQL can't fold accents, so the
 * expression lists all characters that fold to those of the word.
 */
export function wordPattern(word: string, isStart: boolean): string {
  variants ??= findVariants();
  const separators = `[${characterClass("separators", escape)}${variants.separators}]`;
  const isOpen = isStart || isLongest(word);
  const end = isOpen
    ? openEnd(variants, Array.from(word))
    : `${formsOf(variants, Array.from(word))}${MARKS}(?:${separators}|$)`;
  return `(?:^|${separators})${MARKS}${end}`;
}

/**
 * Returns the pattern of a word that can go on. Its last characters can also be the first ones of a code point that folds to
 * several: `क` is the start of `क़` (U+0958).
 */
function openEnd(variants: Variants, word: readonly string[]): string {
  const end = endOf(variants, word.at(-1) as string);
  for (const length of variants.lengths) {
    const start = word.slice(1 - length).join("");
    const longer = length - 1 > word.length ? undefined : variants.startingWith.get(start);
    if (longer === undefined) continue;
    const before = word.slice(0, 1 - length);
    const first = before.length === 0 ? "" : formsOf(variants, before) + MARKS;
    return `${first}(?:${formsOf(variants, word.slice(1 - length))}${end}|[${longer.map(escape).join("")}])`;
  }
  return formsOf(variants, word) + end;
}

/** The last character can't be a part of a composed one: `か` isn't the start of `が`, also if that has two code points. */
function endOf({ composing }: Variants, last: string): string {
  const next = composing.get(last)?.map(escape).join("") ?? hangulAfter(last);
  return next === "" ? "" : `(?!${MARKS}[${next}])`;
}

/** Returns the letters that Hangul composes with a character (Unicode, 3.12): vowels, or final consonants. */
function hangulAfter(character: string): string {
  const codePoint = character.codePointAt(0) as number;
  if (codePoint >= 0x1100 && codePoint <= 0x1112) return `${escape(0x1161)}-${escape(0x1175)}`;
  const index = codePoint - 0xac00;
  const isOpen = index >= 0 && index < 11_172 && index % 28 === 0;
  return isOpen ? `${escape(0x11a8)}-${escape(0x11c2)}` : "";
}

/** Returns the pattern of all texts that fold to some characters. */
function formsOf({ of, lengths }: Variants, word: readonly string[]): string {
  const parts: string[] = [];
  let at = 0;
  while (at < word.length) {
    const length = lengths.find((one) => at + one <= word.length && of.has(word.slice(at, at + one).join(""))) ?? 1;
    const forms = splits(of, word.slice(at, at + length));
    parts.push(forms.length === 1 ? (forms[0] as string) : `(?:${forms.join("|")})`);
    at += length;
  }
  return parts.join(MARKS);
}

/** Returns a pattern for each way to write a few characters as code points that fold to one or several of them. */
function splits(of: Variants["of"], characters: readonly string[]): readonly string[] {
  return characters.flatMap((_, at) => {
    const text = characters.slice(0, at + 1).join("");
    const single = [...(at === 0 ? [text.codePointAt(0) as number] : []), ...(of.get(text) ?? [])];
    const decomposed = at > 0 || text.normalize("NFD") === text ? [] : [escapeText(text.normalize("NFD"))];
    const first = [...(single.length === 0 ? [] : [`[${single.map(escape).join("")}]`]), ...decomposed];
    const rest = characters.slice(at + 1);
    if (rest.length === 0) return first;
    return splits(of, rest).flatMap((next) => first.map((one) => one + MARKS + next));
  });
}

function escapeText(text: string): string {
  return Array.from(text, (character) => escape(character.codePointAt(0) as number)).join("");
}

function findVariants(): Variants {
  const of = new Map<string, number[]>();
  const composing = new Map<string, number[]>();
  const startingWith = new Map<string, number[]>();
  const separators: number[] = [];
  for (const [from, to] of FOLDED) {
    for (let codePoint = from; codePoint <= to; codePoint++) {
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const character = String.fromCodePoint(codePoint);
      const folded = foldWords(character);
      addComposing(composing, character);
      if (folded === character || folded === "") continue;
      if (Array.from(folded).every(isSeparator)) separators.push(codePoint);
      else of.set(folded, [...(of.get(folded) ?? []), codePoint]);
      for (let start = folded.slice(0, -1); start !== ""; start = start.slice(0, -1))
        startingWith.set(start, [...(startingWith.get(start) ?? []), codePoint]);
    }
  }
  const lengths = [...new Set(Array.from(of.keys(), (folded) => Array.from(folded).length))];
  return {
    of,
    startingWith,
    composing,
    lengths: lengths.filter((length) => length > 1).sort((a, b) => b - a),
    separators: separators.map(escape).join(""),
  };
}

function addComposing(composing: Map<string, number[]>, character: string): void {
  const parts = Array.from(character.normalize("NFD"));
  if (parts.length < 2 || character.normalize("NFC") !== character) return;
  const last = parts.pop() as string;
  const base = parts.join("").normalize("NFC");
  if (foldWords(last) === "") return;
  composing.set(base, [...(composing.get(base) ?? []), last.codePointAt(0) as number]);
}
