import type { ProblemPlace } from "../format.ts";
import { html, type Markup } from "./markup.ts";
import { wordOf } from "./suggested-urls.ts";

/** The URL of a request, and its text with each mistake marked. */
export interface SentUrl {
  readonly url: string;
  readonly text: Markup;
}

/** Writes the URL with the mistakes marked: those of the query, and an invalid id. */
export function sentUrl(
  { prefix, request: { path, query } }: ProblemPlace,
  mistakes: readonly string[],
  id?: string,
): SentUrl {
  const url = `${prefix}${path}${query === "" ? "" : `?${query}`}`;
  const pattern = patternOf(mistakes);
  const parameters = query === "" ? [] : `?${readable(query)}`.split(/(?=&)/);
  const shown = parameters.map((parameter) => html`<span class="part">${marked(parameter, pattern)}</span>`);
  return { url, text: html`${prefix}${marked(readable(path), patternOf(id === undefined ? [] : [id]))}${shown}` };
}

function patternOf(mistakes: readonly string[]): RegExp | undefined {
  const wrong = [...new Set(mistakes)].filter((one) => one !== "").map((one) => wordOf(one).source);
  return wrong.length === 0 ? undefined : new RegExp(`(${wrong.join("|")})`);
}

function marked(text: string, pattern: RegExp | undefined): readonly (Markup | string)[] {
  // `split` puts the texts that the group matches at the odd positions.
  const parts = pattern === undefined ? [text] : text.split(pattern);
  return parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part));
}

/** Decodes a query for people. An invalid query stays unchanged. */
function readable(query: string): string {
  try {
    return decodeURIComponent(query);
  } catch {
    return query;
  }
}
