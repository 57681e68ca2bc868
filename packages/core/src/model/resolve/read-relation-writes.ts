import type { ChildWrites, Relation } from "../../definition/relations.ts";
import type { RelationModel } from "../model.ts";
import type { Draft, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName } from "./read-config.ts";

const KINDS = namesOf<ChildWrites>({ create: true, update: true, delete: true });

/** Names in a nested update that aren't fields of the row. */
const RESERVED = ["id", "ifMatch"];

interface Place {
  readonly at: string;
  readonly relation: Relation;
  readonly target: Draft;
  readonly report: Report;
}

/** Reads how many links an input can name. */
export function readLinks(at: string, relation: Relation, report: Report): number {
  const links: unknown = "links" in relation ? relation.links : undefined;
  if (links === undefined) return 0;
  if (isCount(links)) return links;
  report(`${at}.links`, `links can't be ${quoteName(links)}.`, "Pass a whole number, such as 100.");
  return 0;
}

/** Reads how many related rows an update can create, update and delete. */
export function readWrites(place: Place, parentFields: readonly string[]): RelationModel["writes"] {
  const { at, relation, report } = place;
  const writes = { create: 0, update: 0, delete: 0 };
  const given: unknown = "writes" in relation ? relation.writes : undefined;
  if (given === undefined || relation.kind !== "hasMany") return writes;
  if (!isObject(given)) {
    const fix = "Pass the number of rows that one update can write: { create: 50, update: 50, delete: 50 }.";
    report(`${at}.writes`, "Expected an object.", fix);
    return writes;
  }
  checkMembers(given, KINDS, `${at}.writes`, report);
  for (const kind of KINDS) {
    const value = given[kind] ?? 0;
    if (isCount(value)) writes[kind] = value;
    else report(`${at}.writes.${kind}`, "Expected a number of rows.", "Pass a whole number, such as 50.");
  }
  checkChildren(place, parentFields, writes);
  return writes;
}

function checkChildren(
  { at, target, report }: Place,
  parentFields: readonly string[],
  writes: RelationModel["writes"],
): void {
  const writable = [...target.fields.values()].filter((field) => field.writable && !parentFields.includes(field.name));
  const unwritable = parentFields.find((name) => target.fields.get(name)?.writable === false);
  if (writes.create > 0 && unwritable !== undefined) {
    const problem = `Callers can't write '${target.name}.${unwritable}', so no row can be created through this relation.`;
    report(`${at}.writes.create`, problem, "Set 'create' to 0, or make the field writable.");
  } else if (writes.create > 0 && writable.length === 0) {
    const problem = `A new ${target.name} has no fields that a caller could set.`;
    report(`${at}.writes.create`, problem, "Set 'create' to 0.");
  }
  if (writes.update > 0) {
    for (const name of RESERVED) {
      const isKey = name === "id" && target.key.length === 1 && target.key[0] === "id";
      if (isKey || (!target.fields.has(name) && !target.declared.has(name))) continue;
      const problem = `'${name}' in a nested update is not the field '${target.name}.${name}'.`;
      report(`${at}.writes.update`, problem, "Rename the field, or set 'update' to 0.");
    }
  }
  if (writes.delete > 0 && target.config["requirePrecondition"] === true) {
    const problem = `A deletion of a ${target.name} requires its version, and a nested deletion contains only its id.`;
    report(`${at}.writes.delete`, problem, "Set 'delete' to 0, or remove 'requirePrecondition'.");
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
