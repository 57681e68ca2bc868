import type { SchemaPlan, SchemaStep } from "@bifocal/core/store";
import type { DialectName } from "../dialect/dialect.ts";

const PRODUCTS: Readonly<Record<DialectName, string>> = { postgres: "PostgreSQL", mysql: "MySQL", sqlite: "SQLite" };

/** A plan as a file that people read, change and keep. */
export function writePlan(dialect: DialectName, steps: readonly SchemaStep[]): SchemaPlan {
  const head = `-- For ${PRODUCTS[dialect]}, made by \`bifocal db plan\`. Read it before you apply it; it may be changed until then.\n`;
  const blocks = steps.map(({ title, danger, hint, statements }) =>
    [
      `-- ${oneLine(title)}`,
      ...(danger === undefined ? [] : [`${DESTRUCTIVE} ${oneLine(danger)}`]),
      ...(hint === undefined ? [] : [`-- ${oneLine(hint)}`]),
      ...statements.map((statement) => `${statement};`),
    ].join("\n"),
  );
  return { steps, text: [head, ...blocks.map((block) => `${block}\n`)].join("\n"), name: nameOf(steps) };
}

const DESTRUCTIVE = "-- destructive:";

/** What a migration warns of: the lines that a plan marked. */
export function dangersIn(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(DESTRUCTIVE))
    .map((line) => line.slice(DESTRUCTIVE.length).trim());
}

/** The tables that migrations made and did not take away again, by the titles of their steps. */
export function tablesMadeBy(texts: readonly string[]): readonly string[] {
  const made = new Set<string>();
  for (const text of texts) {
    for (const [, verb, name = ""] of text.matchAll(/^-- (create|drop) table (.+)$/gm)) {
      if (verb === "create") made.add(name);
      else made.delete(name);
    }
  }
  return [...made];
}

const NAME = /(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|[\p{L}_][\p{L}\p{N}_$]*)/u.source;
const TABLES = new RegExp(
  `\\b(?:(?:create|alter|drop)\\s+table|truncate(?:\\s+table)?|update|delete\\s+from)\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(?:only\\s+)?(${NAME}(?:\\.${NAME})?)`,
  "giu",
);

/** The tables that statements of a migration are about, with their schemas where they say these. */
export function tablesIn(text: string): readonly string[] {
  const found = [...text.matchAll(TABLES)].map(([, name = ""]) =>
    Array.from(name.matchAll(new RegExp(NAME, "gu")), ([part]) => unquoted(part)).join("."),
  );
  return [...new Set(found)];
}

/** A name without quotes is in lower case to PostgreSQL, and the others find it in any. */
function unquoted(part: string): string {
  const [quote = ""] = part;
  if (quote !== '"' && quote !== "`") return part.toLowerCase();
  return part.slice(1, -1).replaceAll(quote + quote, quote);
}

const MOST_NAMED = 3;

/** How the tables of the store itself begin. */
const SYSTEM = "bifocal_";

/** `create_authors_books`, `change_books`: by what happens to which tables. */
function nameOf(steps: readonly SchemaStep[]): string {
  const created = steps.flatMap(({ title }) => /^create table (.+)$/.exec(title)?.[1] ?? []);
  const own = created.filter((name) => !name.startsWith(SYSTEM));
  const named = own.length > 0 ? own : created;
  if (named.length > 0) return fileName("create", named.slice(0, MOST_NAMED));
  const [first] = steps;
  return first === undefined ? "empty" : fileName("", [first.title.split(/[:(]/, 1)[0] ?? ""]);
}

function fileName(verb: string, names: readonly string[]): string {
  return toFileName([verb, ...names].join("_"));
}

/** Lower-case letters, digits and `_`, at most 60 of them. */
export function toFileName(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
  return plain.replace(/^_+/, "").slice(0, 60).replace(/_+$/, "") || "migration";
}

/** Names may hold anything, and a comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
