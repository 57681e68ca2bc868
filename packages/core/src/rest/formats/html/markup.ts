/** Text that is already HTML. All other values in a template are escaped. */
export interface Markup {
  readonly "~markup": string;
}

type Part = Markup | string | number | boolean | null | undefined | readonly Part[];

/** A template tag for HTML. Interpolated text is escaped, markup isn't; null, undefined and `false` are omitted. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = texts[0] as string;
  for (const [index, part] of parts.entries()) text += print(part) + (texts[index + 1] as string);
  return { "~markup": text };
}

export const NOTHING: Markup = { "~markup": "" };

function print(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (Array.isArray(part)) return (part as readonly Part[]).map(print).join("");
  if (typeof part === "object") return (part as Markup)["~markup"];
  return escape(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text and quoted attributes (WHATWG HTML §13.3). */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
