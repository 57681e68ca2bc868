/** A sentence of a file, as a reader sees it. Code is replaced by `x`. */
export interface Sentence {
  readonly file: string;
  /** The line of the first character, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** Text of one paragraph, list item, table cell, comment or string, with the line of each character. */
export class TextBlock {
  text = "";
  private readonly lines: number[] = [];

  append(text: string, line: number): void {
    for (let index = 0; index < text.length; index += 1) this.lines.push(line);
    this.text += text;
  }

  lineAt(index: number): number {
    return this.lines[Math.min(index, this.lines.length - 1)] ?? 1;
  }
}

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|no|approx)|\b[A-Z])\.$/i;
const SENTENCE_END = /[.!?]["')\]]*(?=\s+["'([]*[A-Z`0-9])/g;

/** Splits a block into sentences. Fragments of fewer than three words are left out: no rule can judge them. */
export function splitSentences(file: string, block: TextBlock): readonly Sentence[] {
  const sentences: Sentence[] = [];
  const add = (start: number, end: number): void => {
    const raw = block.text.slice(start, end);
    const text = raw.replaceAll(/\s+/g, " ").trim();
    if ((text.match(/[A-Za-z]+/g) ?? []).length < 3) return;
    sentences.push({ file, line: block.lineAt(start + raw.search(/\S/)), text });
  };
  let start = 0;
  for (const { index, 0: mark } of block.text.matchAll(SENTENCE_END)) {
    const end = index + mark.length;
    if (mark.startsWith(".") && ABBREVIATION.test(block.text.slice(start, index + 1))) continue;
    add(start, end);
    start = end;
  }
  add(start, block.text.length);
  return sentences;
}

/** Replaces what a reader doesn't read as English: code, links' targets, markup. */
export function stripMarkup(text: string): string {
  return text
    .replaceAll(/(`+)(?:(?!\1)[^])*?\1(?!`)/g, "`x`")
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replaceAll(/<https?:[^>]*>|https?:\/\/[^\s)]+/g, "`x`")
    .replaceAll(/<\/?[a-zA-Z][^>]*>/g, "")
    .replaceAll(/\*\*|__|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, "");
}
