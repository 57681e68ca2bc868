import type { FoundForeignKey, FoundIndex, FoundTable, FoundTableColumn } from "./found-table.ts";
import type { WantedColumn, WantedForeignKey, WantedIndex, WantedTable } from "./wanted.ts";

/** What is to be done with a table that is there. */
export interface TableChange {
  readonly wanted: WantedTable;
  readonly found: FoundTable;
  readonly addColumns: readonly WantedColumn[];
  readonly dropColumns: readonly FoundTableColumn[];
  readonly changeColumns: readonly ColumnChange[];
  readonly changesKey: boolean;
  readonly dropUniques: readonly FoundIndex[];
  readonly addUniques: readonly WantedIndex[];
  readonly dropIndexes: readonly FoundIndex[];
  readonly addIndexes: readonly WantedIndex[];
  readonly dropForeignKeys: readonly FoundForeignKey[];
  readonly addForeignKeys: readonly WantedForeignKey[];
}

export interface ColumnChange {
  readonly column: WantedColumn;
  readonly found: FoundTableColumn;
  readonly retypes: boolean;
  /** `require`: it takes no NULL any more. */
  readonly nulls: "require" | "allow" | undefined;
  /** Whether any row has none, where it is required now. */
  readonly hasNulls: boolean;
  readonly counts: "start" | "stop" | undefined;
}

/** How one dialect sees the types of columns. */
export interface TypeRules {
  /** Whether a column that is there can stay as it is. */
  readonly fits: (wanted: WantedColumn, found: FoundTableColumn) => boolean;
  /** Whether each value of one type has its place in the other. */
  readonly holds: (from: string, to: string) => boolean;
  /** Whether a column that counts can be told to stop. */
  readonly stopsCounting: boolean;
}
