/** A table as it stands in a database. */
export interface FoundTable {
  readonly schema: string | undefined;
  readonly name: string;
  readonly columns: ReadonlyMap<string, FoundTableColumn>;
  readonly primaryKey: readonly string[];
  /** What drops the primary key by its name, where it has one. */
  readonly primaryKeyName: string | undefined;
  /** Unique constraints and unique indexes. */
  readonly uniques: readonly FoundIndex[];
  /** All other indexes. Partial ones, and those of expressions, are nobody's here. */
  readonly indexes: readonly FoundIndex[];
  readonly foreignKeys: readonly FoundForeignKey[];
  /** Statements that make what belongs to the table and is lost with it: triggers, and indexes that are not ours (SQLite). */
  readonly companions: readonly string[];
  /** What else is lost where the table has to be made anew (SQLite): `check`, `default`. */
  readonly peculiarities: readonly string[];
  readonly isEmpty: boolean;
}

export interface FoundTableColumn {
  readonly name: string;
  /** In the words that `declare` would use, as far as the database tells. */
  readonly type: string;
  readonly nullable: boolean;
  readonly isCounted: boolean;
  /** It has a default, which may be how it is counted (`serial` of PostgreSQL). */
  readonly hasDefault: boolean;
  /** Other than the store's own: somebody else chose its type. */
  readonly isForeign: boolean;
}

export interface FoundIndex {
  /** Empty where it has none that can be told (a constraint of SQLite). */
  readonly name: string;
  readonly columns: readonly string[];
  /** Made by `constraint … unique`, and not by `create unique index`. */
  readonly isConstraint: boolean;
}

export interface FoundForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly cascades: boolean;
}

/** By name, with the schema where one was asked for; those that are not there are absent. */
export type FoundSchema = ReadonlyMap<string, FoundTable>;
