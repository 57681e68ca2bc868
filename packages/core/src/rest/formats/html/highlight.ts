import { html, type Markup } from "./markup.ts";

const TOKENS = /("(?:[^"\\]|\\.)*")|(\b\d+(?:\.\d+)?\b)|(\b(?:query|await|true|false|null)\b)/;
const CLASSES = ["text", "number", "word"] as const;

/** Marks texts, numbers and keywords in GraphQL, JSON and TypeScript. */
export function highlight(code: string): Markup {
  // `split` returns one unmarked part, followed by one part per group, and so on.
  const parts = code.split(TOKENS);
  const step = CLASSES.length + 1;
  return html`${parts.map((part, at) => {
    const group = at % step;
    return group === 0 || part === undefined ? part : html`<span class="${CLASSES[group - 1]}">${part}</span>`;
  })}`;
}

/** Shows each parameter of a URL on a line of its own. The text stays the request on one line. */
export function highlightRequest(request: string): Markup {
  const [line = "", ...body] = request.split("\n\n");
  const [target = "", query] = line.split(/\?(.*)/s);
  const [method = "", path = ""] = target.split(/ (.*)/s);
  const parameters =
    query === undefined ? [] : query.split("&").map((part, at) => parameter(part, at === 0 ? "?" : "&"));
  const rest = body.length === 0 ? "" : html`\n\n${highlight(body.join("\n\n"))}`;
  return html`<span class="word">${method}</span> ${path}${parameters}${rest}`;
}

function parameter(part: string, sign: string): Markup {
  const [name, value] = part.split(/=(.*)/s);
  const items = (value ?? "").split(",").map((item, at) => (at === 0 ? item : html`,<wbr>${item}`));
  return html`<span class="part">${sign}${name}=<span class="text">${items}</span></span>`;
}
