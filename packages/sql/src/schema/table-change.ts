import type { FoundForeignKey, FoundIndex, FoundTable, FoundTableColumn } from "./found-table.ts";
import type { WantedColumn, WantedForeignKey, WantedIndex, WantedPolicy, WantedTable } from "./wanted.ts";

/** The changes that an existing table needs. */
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
  readonly dropPolicies: readonly string[];
  readonly addPolicy: WantedPolicy | undefined;
}

export interface ColumnChange {
  readonly column: WantedColumn;
  readonly found: FoundTableColumn;
  readonly retypes: boolean;
  /** `require`: the column becomes NOT NULL. */
  readonly nulls: "require" | "allow" | undefined;
  /** Whether rows contain NULL although the column becomes NOT NULL. */
  readonly hasNulls: boolean;
  readonly counts: "start" | "stop" | undefined;
}

/** The rules by which a dialect compares column types. */
export interface TypeRules {
  /** Whether an existing column needs no change. */
  readonly fits: (wanted: WantedColumn, found: FoundTableColumn) => boolean;
  /** Whether each value of one type can be stored in the other. */
  readonly holds: (from: string, to: string) => boolean;
  /** Whether a column can lose its auto-increment. */
  readonly stopsCounting: boolean;
}
