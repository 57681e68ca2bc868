/** Text that is HTML already. Anything else that stands in a template is escaped. */
export interface Markup {
  readonly "~markup": string;
}

type Part = Markup | string | number | boolean | null | undefined | readonly Part[];

/** A template of HTML: what is put into it is text, unless it is markup itself; nothing and `false` are left out. */
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

/** For text and for attributes in quotes (WHATWG HTML §13.3). */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
