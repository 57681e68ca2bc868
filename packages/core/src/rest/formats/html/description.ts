import { html, type Markup } from "./markup.ts";

/** Code, strong text and links of Markdown. Links lead to web pages or within the host, because other URLs can run scripts. */
const MARKDOWN = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\[[^\]]+\]\((?:https?:\/\/|\/(?!\/))[^\s)]*\))/;
const LINK = /^\[([^\]]+)\]\((.*)\)$/;

/** Shows a description with the parts of Markdown that fit in a line. */
export function showDescription(text: string): Markup {
  const parts = text.split(MARKDOWN).filter((part) => part !== undefined);
  return html`${parts.map((part) => (MARKDOWN.test(part) ? showPart(part) : part))}`;
}

function showPart(part: string): Markup {
  if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
  if (part.startsWith("*")) return html`<strong>${part.slice(2, -2)}</strong>`;
  const [, label, url] = LINK.exec(part) ?? [];
  return html`<a href="${url}">${label}</a>`;
}
