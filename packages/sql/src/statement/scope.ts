import type { RelatedValue } from "@bifocal/core/store";
import { type RawBuilder, sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { type Column } from "../table/column.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { Slots } from "./slot.ts";

/** The state of building a statement: its table aliases and value slots. */
export interface Build {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly slots: Slots;
  readonly alias: () => string;
}

/** A table in a statement, with its alias. */
export interface Scope {
  readonly table: Table;
  readonly alias: string;
  /** Returns the value of a field. It isn't the column if the statement refers to the row after an update. */
  readonly value: (field: string) => Sql;
  /** Returns the index of the words of a field, if the table has one. */
  readonly words?: (field: string) => IndexedWords | undefined;
  /** The values that the statement computes once for each row of this table. */
  readonly shared?: SharedColumns;
}

/** Values of related rows as columns of joined subqueries. */
export interface SharedColumns {
  readonly values: ReadonlyMap<RelatedValue, Sql>;
  readonly joins: readonly Sql[];
}

/** The column that holds the words of a text: in its own table, or in the index of that table. */
export interface IndexedWords {
  readonly table: Table;
  readonly alias: string;
  readonly column: string;
}

export function createBuild(dialect: Dialect, tables: Tables): Build {
  let count = 0;
  return { dialect, tables, slots: new Slots(), alias: () => `t${count++}` };
}

export function createScope(build: Build, table: Table): Scope {
  const alias = build.alias();
  return {
    table,
    alias,
    value: (field) => refOf(alias, columnOf(table, field)),
    words(field) {
      const { words } = columnOf(table, field);
      return words === undefined ? undefined : { table, alias, column: words };
    },
  };
}

export function tableName({
  schema,
  name,
}: {
  readonly schema: string | undefined;
  readonly name: string;
}): RawBuilder<unknown> {
  return schema === undefined ? sql.id(name) : sql.id(schema, name);
}

/** Returns `"books" as "t0"`. */
export function tableAs(scope: Scope): Sql {
  return sql`${tableName(scope.table)} as ${sql.id(scope.alias)}`;
}

/** Quotes the names of a scope and its column. */
export function refOf(alias: string, column: Pick<Column, "name">): Sql {
  return sql.id(alias, column.name);
}
