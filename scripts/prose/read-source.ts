import ts from "typescript";
import { type Sentence, splitSentences, stripMarkup, TextBlock } from "./sentence.ts";

/** The sentences of a source file by kind. */
export interface SourceSentences {
  readonly comments: readonly Sentence[];
  readonly messages: readonly Sentence[];
  readonly tests: readonly Sentence[];
}

const TEST_FUNCTION = /^(?:describe|test|it)(?:\.|$)/;
const DIRECTIVE = /^\s*(?:oxlint|eslint|biome|@ts-|prettier|v8 ignore|#__PURE__|#region|SPDX)/;
/** Text that matches one of these is code in a string: SQL, a path, a document, or markup. */
const CODE = /[{}<>=;\\|]|^\s*(?:select|insert|update|delete|create|alter|drop|with|values|query|mutation)\b.*[(*"]/i;

/** Reads comments, messages (strings that read as a sentence) and names of tests. */
export function readSource(file: string, text: string): SourceSentences {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const messages: Sentence[] = [];
  const tests: Sentence[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const content = textOf(node);
    if (content !== undefined) {
      const block = new TextBlock();
      block.append(stripMarkup(content), lineOf(node.getStart(source)));
      if (isTestName(node, source)) tests.push(...splitSentences(file, block));
      else if (isMessage(block.text)) messages.push(...splitSentences(file, block));
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { comments: readComments(file, text, source), messages, tests };
}

/** The text of a string, a template, or strings joined with `+`. Values in it become `x`. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `\`x\`${literal.text}`).join("");
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === undefined && right === undefined ? undefined : `${left ?? "`x`"}${right ?? "`x`"}`;
  }
  return undefined;
}

function isTestName(node: ts.Node, source: ts.SourceFile): boolean {
  const { parent } = node;
  if (parent === undefined || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  const { expression } = parent;
  const callee = ts.isCallExpression(expression) ? expression.expression : expression;
  return TEST_FUNCTION.test(callee.getText(source));
}

function isMessage(text: string): boolean {
  const plain = text.replaceAll("`x`", "");
  return /^\s*[A-Z`'"]/.test(text) && /[a-z]{2,} [a-z]+ [a-z]/i.test(plain) && !CODE.test(plain);
}

function readComments(file: string, text: string, source: ts.SourceFile): readonly Sentence[] {
  const blocks: TextBlock[] = [];
  let previousEnd = -1;
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ]) {
      ranges.set(range.pos, range);
    }
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) collect(child);
  };
  collect(source);
  for (const { pos, end, kind } of [...ranges.values()].toSorted((a, b) => a.pos - b.pos)) {
    const raw = text.slice(pos, end);
    if (raw.startsWith("#!") || DIRECTIVE.test(raw.replace(/^\/[/*]+/, ""))) continue;
    const line = source.getLineAndCharacterOfPosition(pos).line + 1;
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const follows = isLine && previousEnd >= 0 && /^\r?\n[ \t]*$/.test(text.slice(previousEnd, pos));
    let block = follows ? blocks.at(-1) : undefined;
    if (block === undefined) blocks.push((block = new TextBlock()));
    for (const [index, part] of stripMarkup(bodyOf(raw)).split("\n").entries()) {
      // A tag, a list item and an empty line begin a new paragraph.
      if (/^\s*(?:@\w|[-*] |$)/.test(part)) blocks.push((block = new TextBlock()));
      block.append(`${part.replace(/^\s*(?:@\w+(?:\s+`x`)?\s*|[-*] )/, "")}\n`, line + index);
    }
    previousEnd = isLine ? end : -1;
  }
  return blocks.flatMap((block) => splitSentences(file, block));
}

function bodyOf(raw: string): string {
  if (raw.startsWith("//")) return raw.slice(2);
  return raw
    .slice(2, -2)
    .split("\n")
    .map((line) => line.replace(/^\s*\*+ ?/, ""))
    .join("\n")
    .replaceAll(/\{@\w+\s+([^}]*)\}/g, "`$1`")
    .replaceAll(/^\s*@example\b[^]*$/gm, "");
}
