import type { ManyToMany, Relation } from "../../definition/relations.ts";
import type { LinkTable, RelationModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { quoteName, suggest } from "./read-config.ts";

type Columns = Pick<RelationModel, "local" | "foreign" | "through">;

/** Resolves the columns on both sides that connect the rows of a relation. */
export function resolveColumns(
  at: string,
  draft: Draft,
  relation: Relation,
  target: Draft,
  report: Report,
): Columns | undefined {
  const columns = columnsOf(at, draft, relation, target, report);
  if (columns === undefined) return undefined;
  const [local, foreign] = [draft.fields.get(columns.local), target.fields.get(columns.foreign)];
  // Invalid fields were already reported.
  if (local === undefined || foreign === undefined) return undefined;
  const isNumeric = (kind: string): boolean => kind === "integer" || kind === "number";
  // A link table has a column for each side, so their types may differ.
  if (relation.kind !== "manyToMany" && isNumeric(local.type.kind) !== isNumeric(foreign.type.kind)) {
    const sides = `'${draft.name}.${local.name}' is ${local.type.kind} and '${target.name}.${foreign.name}' is ${foreign.type.kind}`;
    report(at, `${sides}, so their values can never match.`, "Give both fields the same type.");
  }
  return columns;
}

function columnsOf(at: string, draft: Draft, relation: Relation, target: Draft, report: Report): Columns | undefined {
  switch (relation.kind) {
    case "belongsTo": {
      const foreign = singleKey(at, target, report);
      const local = knownField(at, draft, relation.field, report);
      return local === undefined || foreign === undefined ? undefined : { local, foreign, through: undefined };
    }
    case "hasMany":
    case "hasOne": {
      const local = singleKey(at, draft, report);
      const foreign = knownField(at, target, relation.field, report);
      return local === undefined || foreign === undefined ? undefined : { local, foreign, through: undefined };
    }
    case "manyToMany": {
      const [local, foreign] = [singleKey(at, draft, report), singleKey(at, target, report)];
      const through = linkTable(at, draft, relation, target, report);
      return local === undefined || foreign === undefined ? undefined : { local, foreign, through };
    }
  }
}

function singleKey(at: string, { name, key }: Draft, report: Report): string | undefined {
  if (key.length > 1) {
    const fix = "Give that resource a key with a single field, and declare the other fields 'unique'.";
    report(at, `The key of '${name}' has several fields, and a relation can reference only one.`, fix);
    return undefined;
  }
  return key[0];
}

function knownField(at: string, { name, schemas }: Draft, field: unknown, report: Report): string | undefined {
  if (typeof field === "string" && schemas.has(field)) return field;
  report(at, `'${name}' has no field ${quoteName(field)}.`, suggest(field, [...schemas.keys()]));
  return undefined;
}

function linkTable(at: string, draft: Draft, relation: ManyToMany, target: Draft, report: Report): LinkTable {
  const from = relation.from ?? `${draft.name}Id`;
  const to = relation.to ?? `${target.name}Id`;
  if (from === to) {
    const fix = 'Set both columns: manyToMany(…, { from: "personId", to: "friendId" }).';
    report(at, `Both columns of the link table would be named '${from}'.`, fix);
  }
  return { name: relation.through ?? defaultLinkTable(draft.name, target.name), from, to };
}

/** Returns the default name of the link table between two resources: `book_tag`. */
export function defaultLinkTable(one: string, other: string): string {
  return [one, other].sort().join("_");
}
