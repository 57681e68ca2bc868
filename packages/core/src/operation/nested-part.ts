import type { InputMode, RelationModel } from "../model/model.ts";
import { isPlainObject } from "../errors/refuse.ts";

/** The part of an input that describes related rows or links. */
export interface NestedPart {
  readonly relation: RelationModel;
  readonly given: unknown;
  /** The mode of the input that contains the part. */
  readonly mode: InputMode;
}

/** A row or link that a part names. */
export interface PartRow {
  readonly input: unknown;
  /** Path within the part. */
  readonly path: readonly (string | number)[];
  /** The way to read the input of a row. Undefined for an id. */
  readonly mode: InputMode | undefined;
}

/** The members of an object that changes links or related rows. */
export const LINK_CHANGES = ["add", "remove"] as const;
export const CHILD_CHANGES = ["create", "update", "delete"] as const;

/** Whether a part creates rows together with the row itself, in contrast to changing those of an existing one. */
export function isNestedCreate({ relation, mode }: NestedPart): boolean {
  return relation.kind !== "manyToMany" && mode === "create";
}

/** Returns the inputs of rows to create, one for each row; undefined if a list is required and missing. */
export function inputsOf({ relation, given }: NestedPart): readonly unknown[] | undefined {
  if (!relation.many) return [given];
  return Array.isArray(given) ? given : undefined;
}

/** Returns every row and link of a part. Malformed members are skipped. */
export function rowsOfPart(part: NestedPart): readonly PartRow[] {
  const { relation, given } = part;
  if (isNestedCreate(part)) {
    return (inputsOf(part) ?? []).map((input, index) => ({
      input,
      path: relation.many ? [index] : [],
      mode: "create",
    }));
  }
  if (Array.isArray(given)) return given.map((input: unknown, index) => ({ input, path: [index], mode: undefined }));
  if (!isPlainObject(given)) return [];
  const rows: PartRow[] = [];
  for (const name of relation.kind === "manyToMany" ? LINK_CHANGES : CHILD_CHANGES) {
    const list: unknown = given[name];
    if (!Array.isArray(list)) continue;
    const mode = name === "create" || name === "update" ? name : undefined;
    for (const [index, input] of list.entries()) rows.push({ input, path: [name, index], mode });
  }
  return rows;
}
