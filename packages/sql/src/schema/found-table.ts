/** A table as it exists in the database. */
export interface FoundTable {
  readonly schema: string | undefined;
  readonly name: string;
  readonly columns: ReadonlyMap<string, FoundTableColumn>;
  readonly primaryKey: readonly string[];
  /** The name of the primary key constraint, if it has one. */
  readonly primaryKeyName: string | undefined;
  /** Unique constraints and unique indexes. */
  readonly uniques: readonly FoundIndex[];
  /** All other indexes, except partial ones and those on expressions, which the store ignores. */
  readonly indexes: readonly FoundIndex[];
  readonly foreignKeys: readonly FoundForeignKey[];
  /**
   * Statements that recreate what SQLite drops together with the table: triggers, and indexes that the store did not
   * create.
   */
  readonly companions: readonly string[];
  /** Columns whose words are in a table of their own. */
  readonly words?: readonly string[];
  /** Keywords of other features that are lost if SQLite rebuilds the table, such as `check` or `default`. */
  readonly peculiarities: readonly string[];
  readonly isEmpty: boolean;
  /** The policies that migrations created, if row-level security is enabled. Only on PostgreSQL. */
  readonly policies?: readonly string[];
}

export interface FoundTableColumn {
  readonly name: string;
  /** In the notation of `declare`, as far as the database reports it. */
  readonly type: string;
  readonly nullable: boolean;
  readonly isCounted: boolean;
  /** The default may be the counter of the column (PostgreSQL's `serial`). */
  readonly hasDefault: boolean;
  /** Whether the database computes the value from other columns. */
  readonly isComputed?: boolean;
  /** True if the application chose the column's type, not the store. */
  readonly isForeign: boolean;
}

export interface FoundIndex {
  /** Empty if SQLite doesn't report the name of the constraint. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Default: a B-tree. Other methods of PostgreSQL have their own names. */
  readonly method?: string | undefined;
  /** Created by `constraint … unique` instead of `create unique index`. */
  readonly isConstraint: boolean;
  /** The column that is null in the rows of a partial index. Other partial indexes are ignored. */
  readonly living?: string | undefined;
}

export interface FoundForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly cascades: boolean;
}

/** Tables by name, with the schema if one was requested. Missing tables are absent. */
export type FoundSchema = ReadonlyMap<string, FoundTable>;
