import type { LinkTable, RelationModel, ResourceModel } from "@bifocal/core/store";
import type { Column } from "./column.ts";

/** The table of a resource. */
export interface Table {
  readonly resource: ResourceModel;
  readonly schema: string | undefined;
  readonly name: string;
  /** By field name. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Columns that migrations never change. */
  readonly keep: readonly string[];
  /** Fields that searches look for words in. */
  readonly searched: ReadonlySet<string>;
  /** Fields with a trigram index. */
  readonly trigrams: readonly string[];
}

/** The table of a many-to-many relation. Two relations may share it. */
export interface LinkColumns {
  readonly through: LinkTable;
  readonly schema: string | undefined;
  readonly name: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly keep: readonly string[];
}

/** All tables of a store. */
export interface Tables {
  readonly of: (resource: string) => Table;
  readonly link: (relation: RelationModel) => LinkColumns;
  readonly resources: readonly Table[];
  readonly links: readonly LinkColumns[];
}

export function columnOf(table: Table, field: string): Column {
  const column = table.columns.get(field);
  if (column === undefined) throw new Error(`'${table.resource.name}' has no field '${field}'.`);
  return column;
}
