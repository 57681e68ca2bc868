import type { ResourceModel, Row } from "@bifocal/core/store";
import type { Dialect, KeepsValue } from "../dialect/dialect.ts";
import { columnOf, type Table } from "../table/table.ts";
import { insertedFields, insertedValue } from "./write.ts";

interface KeptField {
  readonly name: string;
  readonly isKept: KeepsValue;
  readonly nullable: boolean;
}

const known = new WeakMap<Table, readonly KeptField[] | undefined>();

/**
 * Returns the rows as an insert would return them if the database stores all their values unchanged, so that it needn't
 * return them; otherwise undefined.
 */
export function keptRows(dialect: Dialect, table: Table, rows: readonly Row[]): readonly Row[] | undefined {
  if (fieldsOf(dialect, table) === undefined) return undefined;
  const { resource } = table;
  const all = resource.version === undefined ? rows : rows.map((row) => withVersion(resource, row));
  return areKept(dialect, table, all) ? all : undefined;
}

/** Whether the columns of a table store all values of these rows, which have versions, unchanged. */
export function areKept(dialect: Dialect, table: Table, rows: readonly Row[]): boolean {
  const fields = fieldsOf(dialect, table);
  if (fields === undefined) return false;
  for (const row of rows) {
    for (const { name, isKept, nullable } of fields) {
      const value = row[name];
      // A value that is missing would be null.
      if (value === undefined || (value === null ? !nullable : !isKept(value))) return false;
    }
  }
  return true;
}

function fieldsOf(dialect: Dialect, table: Table): readonly KeptField[] | undefined {
  if (!known.has(table)) known.set(table, keptFields(dialect, table));
  return known.get(table);
}

/** Returns undefined if a column may change its values. */
function keptFields({ keeps }: Dialect, table: Table): readonly KeptField[] | undefined {
  if (keeps === undefined) return undefined;
  const fields: KeptField[] = [];
  for (const { name, generated } of table.resource.fields.values()) {
    const column = columnOf(table, name);
    const isKept = generated?.when === "store" ? undefined : keeps(table, column);
    if (isKept === undefined) return undefined;
    fields.push({ name, isKept, nullable: column.nullable });
  }
  return fields;
}

/** Versions begin at 1. */
export function withVersion(resource: ResourceModel, row: Row, names = insertedFields(resource, row)): Row {
  return Object.fromEntries(names.map((name) => [name, insertedValue(resource, name, row)]));
}
