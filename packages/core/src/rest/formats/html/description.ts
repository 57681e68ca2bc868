import { html, type Markup } from "./markup.ts";

/** Shows a description. Text between backticks is code, as in Markdown. */
export function showDescription(text: string): Markup {
  // `split` puts the text between backticks at the odd positions.
  return html`${text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
