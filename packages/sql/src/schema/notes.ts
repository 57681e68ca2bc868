import { fullName } from "../table/resolve-tables.ts";
import type { FoundIndex, FoundTable } from "./found-table.ts";
import type { Note } from "./alter-table.ts";
import type { ColumnChange, TableChange, TypeRules } from "./table-change.ts";
import type { WantedColumn, WantedTable } from "./wanted.ts";

// Warnings of a plan. A step counts as destructive only if existing rows are affected, or lose a guarantee.

export function addDanger({ found, wanted }: TableChange, column: WantedColumn): string | undefined {
  if (column.nullable || column.isCounted || column.fill !== undefined || found.isEmpty) return undefined;
  return `existing rows of ${fullName(wanted)} have no value for it; give the field a default, or fill the column in a migration of your own`;
}

export function dropNote({ addColumns, wanted, found }: TableChange, name: string): Note {
  // The words of another column, for searches.
  if (found.columns.get(name)?.type === "tsvector" || isOfWords(found, name)) return {};
  const danger = "deletes the data in this column";
  if (addColumns.length === 0) return { danger };
  const added = addColumns.map((column) => column.name).join(", ");
  const rename = `alter table ${fullName(wanted)} rename column ${name} to …`;
  return { danger, hint: `If it was renamed, write \`${rename}\` by hand instead (new: ${added}).` };
}

/** On MySQL, a generated column shows which words are out of date. */
function isOfWords({ columns }: FoundTable, name: string): boolean {
  const [unindexed, words] = [name.replace(/words$/, "unindexed"), name.replace(/unindexed$/, "words")];
  return unindexed !== words && columns.get(unindexed)?.isComputed === true && columns.has(words);
}

/**
 * Once two rows have the same values, a dropped unique constraint can't be created again. It isn't reported if the key
 * or another constraint covers its columns, or if one of these columns is dropped, which is reported itself.
 */
export function dropUniqueNote(change: TableChange, index: FoundIndex): Note {
  const { wanted, found, dropColumns, dropUniques } = change;
  // Computed columns only show which rows are deleted.
  const computed = new Set(wanted.columns.filter((column) => column.computed !== undefined).map(({ name }) => name));
  const isCovered = [wanted.primaryKey, ...wanted.uniques.map(({ columns }) => columns)].some(
    (others) => others.length > 0 && others.every((name) => index.columns.includes(name) || computed.has(name)),
  );
  const isOfDropped = dropColumns.some(({ name }) => index.columns.includes(name));
  if (!dropUniques.includes(index) || isCovered || isOfDropped) return {};
  const columns = index.columns.filter((name) => found.columns.get(name)?.isComputed !== true);
  return {
    danger: `allows rows with the same ${columns.join(" and ")}`,
    hint: "To keep the constraint, add its fields to `unique` of the resource.",
  };
}

export function changeDanger(rules: TypeRules, { column, found, retypes, nulls, hasNulls }: ColumnChange) {
  const dangers = [
    ...(retypes && !rules.holds(found.type, column.type)
      ? [`not every ${found.type} fits ${column.type}: the migration loses values or fails`]
      : []),
    ...(nulls === "require" && hasNulls && column.fill === undefined
      ? ["some rows have no value; give the field a default, or fill the column in a migration of your own"]
      : []),
  ];
  return dangers.length === 0 ? undefined : dangers.join("; ");
}

export function keyTitle(table: WantedTable): string {
  return `make (${table.primaryKey.join(", ")}) the key of ${fullName(table)}`;
}
