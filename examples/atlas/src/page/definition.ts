import { readFileSync } from "node:fs";
import { escapeHtml } from "./html.ts";

const FILES = ["country", "city", "note"] as const;

interface Definition {
  readonly lines: number;
  /** The source of each resource, as HTML. */
  readonly files: readonly { readonly name: string; readonly html: string }[];
}

/** Reads the definitions of the resources, which are the whole API. */
export function readDefinition(): Definition {
  const sources = FILES.map((name) => ({
    name: `${name}.ts`,
    text: readFileSync(new URL(`../resources/${name}.ts`, import.meta.url), "utf8").trimEnd(),
  }));
  return {
    lines: sources.reduce((sum, { text }) => sum + text.split("\n").length, 0),
    files: sources.map(({ name, text }) => ({ name, html: colorSource(text) })),
  };
}

const TOKENS = /(\/\/.*)|("[^"\n]*")|\b(import|from|export|const|true|false)\b|\b(\d+)\b|(\w+)(?=:)|(\w+)(?=\()/g;
const KINDS = ["comment", "string", "keyword", "number", "name", "call"] as const;

/** Marks the tokens of TypeScript, as far as the definitions need it. */
function colorSource(text: string): string {
  let html = "";
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = KINDS[match.slice(1).findIndex((part) => part !== undefined)] ?? "name";
    html += `${escapeHtml(text.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}
