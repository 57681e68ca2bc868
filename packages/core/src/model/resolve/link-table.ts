import type { ManyToMany } from "../../definition/relations.ts";
import type { LinkTable } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { pascalCase } from "./resolve-names.ts";

/** Resolves the link table of a many-to-many relation, with a column for each key field of both sides. */
export function linkTable(at: string, draft: Draft, relation: ManyToMany, target: Draft, report: Report): LinkTable {
  const from = readColumns(at, draft, "from", relation.from, report);
  const to = readColumns(at, target, "to", relation.to, report);
  const twice = [...from, ...to].find((column, index, all) => all.indexOf(column) < index);
  if (twice !== undefined) {
    const fix = 'Set both columns: manyToMany(…, { from: "personId", to: "friendId" }).';
    report(at, `Both columns of the link table would be named '${twice}'.`, fix);
  }
  return { name: relation.through ?? defaultLinkTable(draft.name, target.name), from, to };
}

function readColumns(
  at: string,
  { name, key }: Draft,
  option: "from" | "to",
  given: string | readonly string[] | undefined,
  report: Report,
): readonly string[] {
  if (given === undefined) {
    return key.length === 1 ? [`${name}Id`] : key.map((field) => `${name}${pascalCase(field)}`);
  }
  const columns = typeof given === "string" ? [given] : given;
  if (columns.length !== key.length) {
    report(
      at,
      `'${option}' names ${columns.length === 1 ? "1 column" : `${columns.length} columns`}, but the key of '${name}' has ${key.length} (${key.join(", ")}).`,
      "Name one column for each field of the key, in the same order.",
    );
  }
  return columns;
}

/** Returns the default name of the link table between two resources: `book_tag`. */
export function defaultLinkTable(one: string, other: string): string {
  return [one, other].sort().join("_");
}
