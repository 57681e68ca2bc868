import type { Filter, Json, Key, ResourceModel, Row, UpdateCommand } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import type { Column } from "../table/column.ts";
import { columnOf, type Table, type Tables } from "../table/table.ts";
import { buildFilter } from "./filter.ts";
import { slot } from "./slot.ts";
import type { StatementPlan } from "./statement-plan.ts";
import { addKey, isKey, type ReadRows } from "./read-keys.ts";
import { where } from "./read-list.ts";
import { type Build, createBuild, createScope, type Scope, tableAs, tableName } from "./scope.ts";
import { type ReadRow, rowReader, selectColumns, selectList } from "./select.ts";
import { StatementShape } from "./statement-shape.ts";

/** Returns the fields that an insert writes: all except auto-incremented fields without a value in the row. */
export function insertedFields(resource: ResourceModel, row: Row): readonly string[] {
  const names: string[] = [];
  for (const { name, generated } of resource.fields.values()) {
    if (generated?.when !== "store" || (row[name] ?? null) !== null) names.push(name);
  }
  return names;
}

/** Rows with the same fields, which one statement inserts. */
export interface InsertedRows {
  readonly resource: ResourceModel;
  readonly names: readonly string[];
  readonly rows: readonly Row[];
  /** Whether the statement returns the rows. */
  readonly returns: boolean;
}

export function insertShape(dialect: Dialect, { resource, names, rows, returns }: InsertedRows): StatementShape {
  const how = returns ? "insert" : "only insert";
  const shape = new StatementShape(dialect, `${how} ${resource.name} ${rows.length} ${names.join(",")}`);
  for (const row of rows) for (const name of names) shape.value(insertedValue(resource, name, row));
  return shape;
}

/** Versions begin at 1. */
export function insertedValue(resource: ResourceModel, name: string, row: Row): Json {
  return row[name] ?? (name === resource.version ? 1 : null);
}

export function planInsert(
  dialect: Dialect,
  tables: Tables,
  { resource, names, rows, returns }: InsertedRows,
): StatementPlan<ReadRows> {
  const build = createBuild(dialect, tables);
  const table = tables.of(resource.name);
  const columns = names.map((name) => columnOf(table, name));
  const tuples = rows.map(() => sql`(${sql.join(columns.flatMap((column) => writtenValues(build, column)))})`);
  const into = sql`insert into ${tableName(table)} (${sql.join(columns.flatMap((column) => writtenNames(dialect, column)))}) values ${sql.join(tuples)}`;
  const { list, readRow } = returning(dialect, table);
  return {
    statement: returns ? sql`${into} returning ${list}` : into,
    read: (found) => found.map(readRow),
  };
}

/** Returns the columns for a `returning` clause and the functions that read them. */
export function returning(
  dialect: Dialect,
  table: Table,
  start = 0,
): { readonly list: Sql; readonly readRow: ReadRow; readonly columns: readonly Column[] } {
  const columns = selectColumns(table);
  const list = sql.join(selectList(dialect, ownScope(table), columns, start));
  return { list, readRow: rowReader(columns, start), columns };
}

/** A scope for the table that a statement writes, which has no alias. */
export function ownScope(table: Table): Scope {
  return { table, alias: "", value: (field) => sql.id(columnOf(table, field).name) };
}

/** Returns the value of a column, and of the column for its words if the store writes that. */
function writtenValues({ dialect, slots }: Build, column: Column): readonly Sql[] {
  const index = slots.next();
  const value = dialect.written(column, index);
  const { storedWords } = dialect;
  if (storedWords === undefined || column.words === undefined) return [value];
  return [value, slot(index, (text) => (text === null ? null : storedWords(text as string)))];
}

/** Returns the names of the columns whose values `writtenValues` returns. */
function writtenNames({ storedWords }: Dialect, { name, words }: Column): readonly Sql[] {
  return storedWords === undefined || words === undefined ? [sql.id(name)] : [sql.id(name), sql.id(words)];
}

/**
 * Reads the row before the write, locked until the transaction ends, and whether it would pass the check after the
 * write.
 */
export interface ReadBefore {
  (rows: readonly (readonly unknown[])[]): { readonly row: Row; readonly passes: boolean } | undefined;
}

export interface WriteTarget {
  readonly resource: ResourceModel;
  readonly key: Key;
  readonly where?: Filter | undefined;
  readonly set?: Row | undefined;
  readonly check?: Filter | undefined;
}

export function beforeShape(
  dialect: Dialect,
  { resource, key, where: filter, set = {}, check }: WriteTarget,
): StatementShape {
  const shape = addKey(new StatementShape(dialect, `before ${resource.name} `), key).filter(filter);
  if (check === undefined) return shape;
  for (const name of Object.keys(set)) shape.note(`${name}=`).value(set[name] ?? null);
  return shape.note(" check ").filter(check);
}

export function planBefore(dialect: Dialect, tables: Tables, target: WriteTarget): StatementPlan<ReadBefore> {
  return buildBefore(createBuild(dialect, tables), target);
}

export function buildBefore(
  build: Build,
  { resource, where: filter, set = {}, check }: WriteTarget,
): StatementPlan<ReadBefore> {
  const { dialect, tables } = build;
  const scope = createScope(build, tables.of(resource.name));
  const columns = selectColumns(scope.table);
  const conditions = [isKey(build, scope)];
  if (filter !== undefined) conditions.push(buildFilter(build, scope, filter));
  const list = [...selectList(dialect, scope, columns)];
  if (check !== undefined)
    list.push(sql`(${buildFilter(build, afterScope(build, scope, set), check)}) is true as passes`);
  const readRow = rowReader(columns);
  return {
    statement: sql`select ${sql.join(list)} from ${tableAs(scope)}${where(conditions)}${dialect.forUpdate}`,
    read: ([found]) => {
      if (found === undefined) return undefined;
      return { row: readRow(found), passes: check === undefined || isTrue(found[columns.length]) };
    },
  };
}

/** A scope for the row after the update: assigned values replace its columns, and the version is incremented. */
function afterScope({ dialect, slots }: Build, scope: Scope, set: Row): Scope {
  const written = new Map<string, Sql>();
  for (const name of Object.keys(set)) {
    written.set(name, dialect.standIn(columnOf(scope.table, name), slots.next()));
  }
  const { version } = scope.table.resource;
  if (version !== undefined && written.size > 0) written.set(version, sql`(${scope.value(version)} + 1)`);
  const { table, alias } = scope;
  // Without the index of words, which has those of the row before the update.
  return { table, alias, value: (field) => written.get(field) ?? scope.value(field) };
}

function isTrue(raw: unknown): boolean {
  return raw === true || raw === "t" || raw === "true" || Number(raw) === 1;
}

export function updateShape(
  dialect: Dialect,
  { resource, key, set }: Pick<UpdateCommand, "resource" | "key" | "set">,
): StatementShape {
  return noteUpdate(new StatementShape(dialect, `update ${resource.name} `), { key, set });
}

export function noteUpdate(shape: StatementShape, { key, set }: Pick<UpdateCommand, "key" | "set">): StatementShape {
  for (const name of Object.keys(set)) shape.note(`${name},`).value(set[name] ?? null);
  return addKey(shape, key);
}

/** Plans the update of a row that was already checked and locked. */
export function planUpdate(
  dialect: Dialect,
  tables: Tables,
  { resource, set }: Pick<UpdateCommand, "resource" | "set">,
): StatementPlan<ReadRows> {
  const build = createBuild(dialect, tables);
  const table = tables.of(resource.name);
  const update = buildUpdate(build, { resource, set });
  const { list, readRow } = returning(dialect, table);
  return {
    statement: dialect.returning.update ? sql`${update} returning ${list}` : update,
    read: (rows) => rows.map(readRow),
  };
}

export function buildUpdate(build: Build, { resource, set }: Pick<UpdateCommand, "resource" | "set">): Sql {
  const table = build.tables.of(resource.name);
  const assignments = Object.keys(set).flatMap((name) => {
    const column = columnOf(table, name);
    const values = writtenValues(build, column);
    return writtenNames(build.dialect, column).map((own, at) => sql`${own} = ${values[at] as Sql}`);
  });
  const { version } = resource;
  if (version !== undefined) {
    const name = sql.id(columnOf(table, version).name);
    assignments.push(sql`${name} = ${name} + 1`);
  }
  return sql`update ${tableName(table)} set ${sql.join(assignments)} where ${isKey(build, ownScope(table))}`;
}

export function planDelete(dialect: Dialect, tables: Tables, resource: ResourceModel): StatementPlan<undefined> {
  return { statement: buildDelete(createBuild(dialect, tables), resource), read: undefined };
}

export function buildDelete(build: Build, resource: ResourceModel): Sql {
  const table = build.tables.of(resource.name);
  return sql`delete from ${tableName(table)} where ${isKey(build, ownScope(table))}`;
}

export function deleteShape(dialect: Dialect, resource: ResourceModel, key: Key): StatementShape {
  return addKey(new StatementShape(dialect, `delete ${resource.name} `), key);
}
