/** The kinds of tokens, which the style sheet colors by `::highlight(token-…)`. */
type Kind = "name" | "text" | "number" | "keyword";
type Token = readonly [kind: Kind, from: number, to: number];
export type Language = "rest" | "graphql" | "json" | "sql" | "ts" | "none";

const RULES: Readonly<Record<Language, RegExp>> = {
  rest: /(?<keyword>^[A-Z]+(?= ))|(?<name>(?<=[?&])[^=\s&]+(?==))|(?<text>(?<==)[^&\s]+)/g,
  graphql:
    /(?<text>"(?:[^"\\]|\\.)*")|(?<keyword>\b(?:query|mutation|subscription)\b)|(?<name>\b\w+(?=:))|(?<number>-?\b\d[\d.]*\b|\b[A-Z][A-Z_]+\b|\b(?:true|false|null)\b)/g,
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.]*\b|\b(?:true|false|null)\b)/g,
  sql: /(?<text>'[^']*')|(?<name>"[^"]+")|(?<keyword>\b(?:select|from|where|and|or|not|order by|limit|offset|as|desc|asc|in|exists|left|inner|join|on|between|with|is|null|count|case|when|then|else|end)\b)|(?<number>\b\d+\b|\?)/gi,
  ts: /(?<text>"(?:[^"\\]|\\.)*"|'[^']*')|(?<keyword>\b(?:await|true|false|null)\b)|(?<name>\b\w+(?=:))|(?<number>-?\b\d[\d.]*\b)/g,
  none: /(?!)/g,
};

const painted = new WeakMap<HTMLElement, Map<Kind, Range[]>>();

/** Colors the tokens of an element's text without changing its nodes, so that the caret of an editor stays. */
export function highlight(element: HTMLElement, language: Language): void {
  if (!("highlights" in CSS)) return;
  for (const [kind, ranges] of painted.get(element) ?? []) {
    for (const range of ranges) CSS.highlights.get(`token-${kind}`)?.delete(range);
  }
  const made = new Map<Kind, Range[]>();
  const nodes = textNodes(element);
  const text = nodes.map(({ node }) => node.data).join("");
  for (const [kind, from, to] of tokensOf(text, language)) {
    const range = rangeOf(nodes, from, to);
    if (range === undefined) continue;
    made.set(kind, [...(made.get(kind) ?? []), range]);
    registered(kind).add(range);
  }
  painted.set(element, made);
}

function tokensOf(text: string, language: Language): readonly Token[] {
  return [...text.matchAll(RULES[language])].flatMap((match): readonly Token[] => {
    const [kind] = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    return kind === undefined ? [] : [[kind as Kind, match.index, match.index + match[0].length]];
  });
}

function registered(kind: Kind): Highlight {
  const name = `token-${kind}`;
  const known = CSS.highlights.get(name);
  if (known !== undefined) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

interface Placed {
  readonly node: Text;
  readonly start: number;
}

function textNodes(element: HTMLElement): readonly Placed[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Placed[] = [];
  let start = 0;
  for (let node = walker.nextNode() as Text | null; node !== null; node = walker.nextNode() as Text | null) {
    nodes.push({ node, start });
    start += node.data.length;
  }
  return nodes;
}

function rangeOf(nodes: readonly Placed[], from: number, to: number): Range | undefined {
  const at = nodes.find(({ node, start }) => from >= start && from < start + node.data.length);
  if (at === undefined) return undefined;
  const range = new Range();
  range.setStart(at.node, from - at.start);
  range.setEnd(at.node, Math.min(to - at.start, at.node.data.length));
  return range;
}
