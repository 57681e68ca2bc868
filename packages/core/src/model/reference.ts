import type { Issue } from "../errors/bifocal-error.ts";
import { listNames } from "../errors/refuse.ts";
import type { Key, RelationModel, ResourceModel, Row } from "./model.ts";

/** A key or reference in the form of a `Map` key. */
export type Token = string | number;

/**
 * Returns the value of a reference: that of its only field, or a list if it has several. Returns `null` if a part is
 * missing, because such a reference leads to no row (`match simple` in SQL).
 */
export function referenceOf(fields: readonly string[], row: Row): Key | null {
  if (fields.length === 1) return (row[fields[0] as string] ?? null) as string | number | null;
  const parts: (string | number)[] = [];
  for (const name of fields) {
    const part = row[name] ?? null;
    if (part === null) return null;
    parts.push(part as string | number);
  }
  return parts;
}

/** Returns the values of a reference by field. */
export function referenceFields(fields: readonly string[], value: Key): Readonly<Record<string, string | number>> {
  if (typeof value !== "object") return { [fields[0] as string]: value };
  return Object.fromEntries(fields.map((name, index) => [name, value[index] as string | number]));
}

/** Converts a key or reference to a `Map` key. Only values of the same fields are comparable. */
export function tokenOf(value: Key): Token {
  return typeof value === "object" ? JSON.stringify(value) : value;
}

/** Returns the token of a reference, or `null` if a part is missing. */
export function tokenIn(fields: readonly string[], row: Row): Token | null {
  const value = referenceOf(fields, row);
  return value === null ? null : tokenOf(value);
}

/** Like `tokenIn`, for the same fields of many rows. */
export function tokenReader(fields: readonly string[]): (row: Row) => Token | null {
  const [only] = fields;
  if (only !== undefined && fields.length === 1) return (row) => (row[only] ?? null) as Token | null;
  return (row) => tokenIn(fields, row);
}

/** Whether two lists name the same fields in the same order. */
export function isSameFields(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

/** Describes a reference to a row that doesn't exist or that the caller can't see. Doesn't name the tenant's field. */
export function missingReference({ tenant }: Pick<ResourceModel, "tenant">, relation: RelationModel): Issue {
  const { target, local, foreign, toKey } = relation;
  const isShown = (at: number): boolean => local.length === 1 || local[at] !== tenant?.field;
  const shown = foreign.filter((_, at) => isShown(at));
  const isId = toKey && foreign.length === 1;
  const values = shown.length === 1 ? `this ${isId ? "id" : shown[0]}` : `these values of ${listNames(shown)}`;
  const path = local.filter((_, at) => isShown(at)).slice(0, 1);
  return { path, message: `There is no ${target} with ${values}.`, code: "unknown_reference" };
}
