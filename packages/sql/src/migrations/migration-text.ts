import type { SchemaPlan, SchemaStep } from "@bifocal/core/store";
import type { DialectName } from "../dialect/dialect.ts";

const PRODUCTS: Readonly<Record<DialectName, string>> = { postgres: "PostgreSQL", mysql: "MySQL", sqlite: "SQLite" };

/** Writes a plan as an SQL file for people to review and edit. */
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

/** Returns the warnings in a migration: the text of the lines that the plan marked as destructive. */
export function dangersIn(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(DESTRUCTIVE))
    .map((line) => line.slice(DESTRUCTIVE.length).trim());
}

/** Returns the tables that migrations created and didn't drop later, by the titles of their steps. */
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

/** Returns the tables that the statements of a migration mention, with their schemas if those are given. */
export function tablesIn(text: string): readonly string[] {
  const found = [...text.matchAll(TABLES)].map(([, name = ""]) =>
    Array.from(name.matchAll(new RegExp(NAME, "gu")), ([part]) => unquoted(part)).join("."),
  );
  return [...new Set(found)];
}

/** PostgreSQL folds unquoted names to lower case. The other databases ignore case. */
function unquoted(part: string): string {
  const [quote = ""] = part;
  if (quote !== '"' && quote !== "`") return part.toLowerCase();
  return part.slice(1, -1).replaceAll(quote + quote, quote);
}

const MAX_NAMED = 3;

/** Prefix of the store's own tables. */
const SYSTEM = "bifocal_";

/** Names a migration after its tables, such as `create_authors_books` or `change_books`. */
function nameOf(steps: readonly SchemaStep[]): string {
  const created = steps.flatMap(({ title }) => /^create table (.+)$/.exec(title)?.[1] ?? []);
  const own = created.filter((name) => !name.startsWith(SYSTEM));
  const named = own.length > 0 ? own : created;
  if (named.length > 0) return fileName("create", named.slice(0, MAX_NAMED));
  const [first] = steps;
  return first === undefined ? "empty" : fileName("", [first.title.split(/[:(]/, 1)[0] ?? ""]);
}

function fileName(verb: string, names: readonly string[]): string {
  return toFileName([verb, ...names].join("_"));
}

/** Reduces a text to letters, digits and `_` in lower case, at most 60 characters. */
export function toFileName(text: string): string {
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_");
  return plain.replace(/^_+/, "").slice(0, 60).replace(/_+$/, "") || "migration";
}

/** Names can contain line breaks, but a comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
