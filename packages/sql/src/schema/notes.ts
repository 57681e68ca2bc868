import { fullName } from "../table/resolve-tables.ts";
import type { Note } from "./alter-table.ts";
import type { ColumnChange, TableChange, TypeRules } from "./table-change.ts";
import type { WantedColumn, WantedTable } from "./wanted.ts";

// What a plan warns of. A danger is told only where the rows that are there make it one.

export function addDanger({ found, wanted }: TableChange, column: WantedColumn): string | undefined {
  if (column.nullable || column.isCounted || column.fill !== undefined || found.isEmpty) return undefined;
  return `the rows of ${fullName(wanted)} have no value for it: give the field a default, or write the migration by hand and fill it`;
}

export function dropNote({ addColumns, wanted }: TableChange, name: string): Note {
  const danger = "what is in it is lost";
  if (addColumns.length === 0) return { danger };
  const added = addColumns.map((column) => column.name).join(", ");
  const rename = `alter table ${fullName(wanted)} rename column ${name} to …`;
  return { danger, hint: `If it was renamed, write \`${rename}\` by hand instead (new: ${added}).` };
}

export function changeDanger(rules: TypeRules, { column, found, retypes, nulls, hasNulls }: ColumnChange) {
  const dangers = [
    ...(retypes && !rules.holds(found.type, column.type)
      ? [`${column.type} does not hold every ${found.type}: values are lost or stop the migration`]
      : []),
    ...(nulls === "require" && hasNulls && column.fill === undefined
      ? ["there are rows without a value: give the field a default, or write the migration by hand and fill it"]
      : []),
  ];
  return dangers.length === 0 ? undefined : dangers.join("; ");
}

export function keyTitle(table: WantedTable): string {
  return `make (${table.primaryKey.join(", ")}) the key of ${fullName(table)}`;
}
