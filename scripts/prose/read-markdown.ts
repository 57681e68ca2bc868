import { type Sentence, splitSentences, stripMarkup, TextBlock } from "./sentence.ts";

const FENCE = /^\s*(```|~~~)/;
const TABLE_RULE = /^\s*\|?[\s|:-]+\|?\s*$/;
const BLOCK_START = /^\s*(?:[-*+]|\d+[.)])\s+|^\s*#{1,6}\s+|^\s*>\s?/;

/** Reads the sentences of a Markdown page: paragraphs, headings, list items and table cells, but no code. */
export function readMarkdown(file: string, source: string): readonly Sentence[] {
  const blocks: TextBlock[] = [];
  let current: TextBlock | undefined;
  let fence: string | undefined;
  const lines = blankComments(source).split("\n");
  const begin = lines[0] === "---" ? lines.indexOf("---", 1) + 1 : 0;
  for (const [index, line] of lines.entries()) {
    if (index < begin) continue;
    const number = index + 1;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined || mark !== undefined) {
      fence = fence === undefined ? mark : mark === fence ? undefined : fence;
      current = undefined;
    } else if (line.trim() === "" || TABLE_RULE.test(line)) {
      current = undefined;
    } else if (line.trimStart().startsWith("|")) {
      current = undefined;
      for (const cell of stripMarkup(line).split(/(?<!\\)\|/)) blocks.push(blockOf(cell, number));
    } else {
      const start = BLOCK_START.exec(line);
      if (start !== null || current === undefined) blocks.push((current = new TextBlock()));
      current.append(`${line.slice(start?.[0].length ?? 0)}\n`, number);
      if (/^\s*#/.test(line)) current = undefined;
    }
  }
  return blocks.flatMap((block) => splitSentences(file, withoutMarkup(block)));
}

function blockOf(text: string, line: number): TextBlock {
  const block = new TextBlock();
  block.append(text, line);
  return block;
}

/** Strips markup that may span lines, and keeps the line of the remaining text. */
function withoutMarkup(block: TextBlock): TextBlock {
  const stripped = new TextBlock();
  let at = 0;
  // Markup never splits a word, so the words that are left can be found again in their order.
  for (const word of stripMarkup(block.text).split(/(?<=\s)/)) {
    const found = block.text.indexOf(word.trim(), at);
    if (found >= 0) at = found;
    stripped.append(word, block.lineAt(at));
  }
  return stripped;
}

/** Splits a page into the text that people wrote and the text that a script writes between `<!-- name -->` and `<!-- /name -->`. */
export function splitGenerated(source: string): { readonly written: string; readonly generated: string } {
  const section = /<!-- (\w+) -->[^]*?<!-- \/\1 -->/g;
  const blank = (text: string): string => text.replaceAll(/[^\n]/g, "");
  let generated = "";
  let end = 0;
  for (const { index, 0: text } of source.matchAll(section)) {
    generated += blank(source.slice(end, index)) + text;
    end = index + text.length;
  }
  return { written: source.replaceAll(section, blank), generated };
}

/** Blanks HTML comments but keeps their line breaks. */
function blankComments(source: string): string {
  return source.replaceAll(/<!--[^]*?-->/g, (comment) => comment.replaceAll(/[^\n]/g, ""));
}
