import { type RawBuilder, sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { type Column } from "../table/column.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { Slots } from "./slot.ts";

/** What a statement is built with: names for its tables, and places for its values. */
export interface Build {
  readonly dialect: Dialect;
  readonly tables: Tables;
  readonly slots: Slots;
  readonly alias: () => string;
}

/** A table within a statement, by its alias. */
export interface Scope {
  readonly table: Table;
  readonly alias: string;
  /** The value of a field; another than its column where a statement asks about the row as it becomes. */
  readonly value: (field: string) => Sql;
}

export function createBuild(dialect: Dialect, tables: Tables): Build {
  let count = 0;
  return { dialect, tables, slots: new Slots(), alias: () => `t${count++}` };
}

export function createScope(build: Build, table: Table): Scope {
  const alias = build.alias();
  return { table, alias, value: (field) => refOf(alias, columnOf(table, field)) };
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

/** `"books" as "t0"`. */
export function tableAs(scope: Scope): Sql {
  return sql`${tableName(scope.table)} as ${sql.id(scope.alias)}`;
}

/** A column of a scope by its name, whatever its name is. */
export function refOf(alias: string, column: Pick<Column, "name">): Sql {
  return sql.id(alias, column.name);
}
