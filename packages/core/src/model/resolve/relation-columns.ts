import type { Relation } from "../../definition/relations.ts";
import { isSameFields } from "../reference.ts";
import type { FieldModel, RelationModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { linkTable } from "./link-table.ts";
import { quoteName, suggest } from "./read-config.ts";
import { isKeyKind } from "./resolve-fields.ts";
import { tenantField } from "./tenant-field.ts";

type Columns = Pick<RelationModel, "local" | "foreign" | "through" | "toKey">;

/** The two sides of a relation without a link table: the fields that hold a reference, and those that it leads to. */
interface Sides {
  readonly holder: Draft;
  readonly holding: readonly string[];
  readonly owner: Draft;
  readonly referenced: readonly string[];
}

/** Resolves the columns on both sides that connect the rows of a relation. */
export function resolveColumns(
  at: string,
  draft: Draft,
  relation: Relation,
  target: Draft,
  report: Report,
): Columns | undefined {
  if (relation.kind === "manyToMany") {
    const through = linkTable(at, draft, relation, target, report);
    return { local: draft.key, foreign: target.key, through, toKey: true };
  }
  const isHolder = relation.kind === "belongsTo";
  const [holder, owner] = isHolder ? [draft, target] : [target, draft];
  const referenced = readReferenced(at, owner, relation.references, report);
  const holding = readHolding(at, holder, relation.field, report);
  if (referenced === undefined || holding === undefined) return undefined;
  const sides = inOrder(at, { holder, holding, owner, referenced }, report);
  if (sides === undefined || !checkFields(at, sides, report)) return undefined;
  const [local, foreign] = isHolder ? [sides.holding, sides.referenced] : [sides.referenced, sides.holding];
  return { local, foreign, through: undefined, toKey: isSameFields(foreign, target.key) };
}

/** Reads the fields that a relation leads to: the key, or a unique group in the order of the relation. */
function readReferenced(at: string, owner: Draft, references: unknown, report: Report): readonly string[] | undefined {
  if (references === undefined) return owner.key;
  const names = readHolding(at, owner, references, report);
  if (names === undefined || groupOf(owner, names) !== undefined) return names;
  const listed = names.map((name) => `"${name}"`).join(", ");
  report(
    at,
    `'references' names ${names.join(", ")}, which is neither the key of '${owner.name}' nor one of its unique groups.`,
    `Add unique: [${names.length > 1 ? `[${listed}]` : listed}] to '${owner.name}', or leave out 'references'.`,
  );
  return undefined;
}

function readHolding(at: string, draft: Draft, given: unknown, report: Report): readonly string[] | undefined {
  const names: readonly unknown[] = Array.isArray(given) ? given : [given];
  const known = names.filter((name): name is string => {
    if (typeof name === "string" && draft.schemas.has(name)) return true;
    report(at, `'${draft.name}' has no field ${quoteName(name)}.`, suggest(name, [...draft.schemas.keys()]));
    return false;
  });
  if (new Set(known).size < known.length) {
    report(at, "The relation lists a field twice.", "List each field once.");
    return undefined;
  }
  return names.length > 0 && known.length === names.length ? known : undefined;
}

/** Returns the key or unique group with these fields, in its own order. */
function groupOf({ key, unique }: Draft, names: readonly string[]): readonly string[] | undefined {
  return [key, ...unique].find((group) => group.length === names.length && group.every((name) => names.includes(name)));
}

/** Brings both sides into the order of the key or unique group, which databases require of a foreign key. */
function inOrder(at: string, sides: Sides, report: Report): Sides | undefined {
  const { holder, holding, owner, referenced } = sides;
  if (holding.length !== referenced.length) {
    report(
      at,
      `The relation lists ${count(holding)} of '${holder.name}' for ${count(referenced)} of '${owner.name}' (${referenced.join(", ")}).`,
      `List one field of '${holder.name}' for each, in the same order, or set 'references' to a unique field of '${owner.name}'.`,
    );
    return undefined;
  }
  const ordered = groupOf(owner, referenced) ?? referenced;
  return { ...sides, referenced: ordered, holding: ordered.map((name) => holding[referenced.indexOf(name)] as string) };
}

function count(names: readonly string[]): string {
  return names.length === 1 ? "1 field" : `${names.length} fields`;
}

function checkFields(at: string, { holder, holding, owner, referenced }: Sides, report: Report): boolean {
  let isComplete = true;
  for (const [index, name] of referenced.entries()) {
    const [own, far] = [holder.fields.get(holding[index] as string), owner.fields.get(name)];
    // Invalid fields were already reported.
    if (own === undefined || far === undefined) isComplete = false;
    else {
      checkTypes(at, [holder, own], [owner, far], report);
      const isTenant = name === tenantField(owner.config) && own.name === tenantField(holder.config);
      if (!owner.key.includes(name) && !isTenant) checkReferenced(at, owner, far, report);
    }
  }
  return isComplete;
}

type Side = readonly [resource: Draft, field: FieldModel];

function checkTypes(at: string, [holder, own]: Side, [owner, far]: Side, report: Report): void {
  if (familyOf(own) === familyOf(far)) return;
  const sides = `'${holder.name}.${own.name}' is ${own.type.kind} and '${owner.name}.${far.name}' is ${far.type.kind}`;
  report(at, `${sides}, so their values can never match.`, "Give both fields the same type.");
}

const TEXTS: ReadonlySet<string> = new Set(["string", "uuid", "email", "url", "enum"]);

/** Values of one family can be equal. */
function familyOf({ type: { kind } }: FieldModel): string {
  if (kind === "integer" || kind === "number") return "number";
  return TEXTS.has(kind) ? "text" : kind;
}

/** A reference shows its value, and a check of a reference shows that a row with this value exists. */
function checkReferenced(at: string, owner: Draft, field: FieldModel, report: Report): void {
  const name = `${owner.name}.${field.name}`;
  if (!isKeyKind(field.type.kind)) {
    const fix = "Reference a field of text, integers, dates or times, or the key.";
    report(at, `'${name}' is ${field.type.kind}, which a relation can't reference.`, fix);
  }
  if (field.internal || field.read.kind !== "allow") {
    const fix = "Remove the read rule and 'internal' from this field, or reference the key.";
    report(at, `'${name}' can't be referenced, because it is hidden from callers and references would reveal it.`, fix);
  }
}
