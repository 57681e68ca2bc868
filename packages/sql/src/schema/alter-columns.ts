import type { SchemaStep } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { convertMysql } from "../dialect/mysql/mysql-changes.ts";
import { convertPostgres } from "../dialect/postgres/postgres-changes.ts";
import { tableName } from "../statement/scope.ts";
import { fullName } from "../table/resolve-tables.ts";
import { alter, step } from "./alter-table.ts";
import { columnDefinition, names } from "./print-table.ts";
import type { FoundTableColumn } from "./found-table.ts";
import { addDanger, changeDanger, dropNote, keyTitle } from "./notes.ts";
import type { ColumnChange, TableChange, TypeRules } from "./table-change.ts";
import type { WantedColumn, WantedTable } from "./wanted.ts";

/** Returns the steps that change the columns and the key of a table, in an order in which no step prevents another. */
export function alterColumns(dialect: Dialect, rules: TypeRules, change: TableChange): readonly SchemaStep[] {
  const { addColumns, changeColumns, dropColumns, changesKey } = change;
  // Former key columns can't allow NULL before the key has changed.
  const late = changeColumns.filter(({ nulls }) => nulls === "allow");
  const early = changeColumns.filter((one) => !late.includes(one));
  // MySQL only allows AUTO_INCREMENT on a key.
  const withKey = (isCounted: boolean): boolean => changesKey && isCounted && dialect.name === "mysql";
  return [
    ...addColumns.filter(({ isCounted }) => !withKey(isCounted)).map((one) => addColumn(dialect, change, one)),
    ...early
      .filter(({ counts }) => !withKey(counts !== undefined))
      .map((one) => changeColumn(dialect, rules, change, one)),
    ...(changesKey ? [changeKey(dialect, change)] : []),
    ...late.map((one) => changeColumn(dialect, rules, change, one)),
    ...dropColumns.map((one) => dropColumn(dialect, change, one)),
  ];
}

function addColumn(dialect: Dialect, change: TableChange, column: WantedColumn): SchemaStep {
  const { wanted } = change;
  const title = `add column ${fullName(wanted)}.${column.name}`;
  const note = { danger: addDanger(change, column) };
  const add = (one: WantedColumn, end = sql``): Sql =>
    alter(wanted, sql`add column ${columnDefinition(dialect, wanted, one)}${end}`);
  if (column.nullable || column.isCounted) return step(dialect, title, [add(column)], note);
  if (dialect.name === "postgres") {
    if (column.fill === undefined) return step(dialect, title, [add(column)], note);
    // With a default, PostgreSQL doesn't rewrite the table.
    const end = sql` default ${sql.raw(column.fill)}`;
    const forget = alter(wanted, sql`alter column ${sql.id(column.name)} drop default`);
    return step(dialect, title, [add(column, end), forget], note);
  }
  // MySQL would otherwise fill the column with 0 or ''.
  return step(dialect, title, [add({ ...column, nullable: true }), ...require(dialect, wanted, column)], note);
}

/** Fills missing values if a fill is known, and then disallows NULL. */
function require(dialect: Dialect, table: WantedTable, column: WantedColumn): readonly Sql[] {
  const name = sql.id(column.name);
  const fill =
    column.fill === undefined
      ? []
      : [sql`update ${tableName(table)} set ${name} = ${sql.raw(column.fill)} where ${name} is null`];
  const set =
    dialect.name === "postgres"
      ? sql`alter column ${name} set not null`
      : sql`modify column ${columnDefinition(dialect, table, column)}`;
  return [...fill, alter(table, set)];
}

function changeColumn(dialect: Dialect, rules: TypeRules, change: TableChange, one: ColumnChange): SchemaStep {
  const { wanted } = change;
  const { column, found, retypes, nulls, counts } = one;
  const parts = [
    ...(retypes ? [`from ${found.type} to ${column.type}`] : []),
    ...(nulls === undefined ? [] : [nulls === "require" ? "not null" : "may be null"]),
    ...(counts === undefined ? [] : [counts === "start" ? "counted" : "not counted any more"]),
  ];
  const title = `change column ${fullName(wanted)}.${column.name}: ${parts.join(", ")}`;
  const statements = dialect.name === "postgres" ? onPostgres(dialect, wanted, one) : onMysql(dialect, wanted, one);
  return step(dialect, title, statements, { danger: changeDanger(rules, one) });
}

function onPostgres(dialect: Dialect, table: WantedTable, { column, found, ...change }: ColumnChange): readonly Sql[] {
  const name = sql.id(column.name);
  const alterColumn = (action: Sql): Sql => alter(table, sql`alter column ${name} ${action}`);
  const statements: Sql[] = [];
  if (change.counts !== undefined && found.hasDefault) statements.push(alterColumn(sql`drop default`));
  if (change.counts === "stop") statements.push(alterColumn(sql`drop identity if exists`));
  if (change.retypes) {
    const value = convertPostgres(`"${column.name.replaceAll('"', '""')}"`, found.type, column.type);
    statements.push(alterColumn(sql`type ${sql.raw(column.type)} using ${sql.raw(value)}`));
  }
  if (change.nulls === "require") statements.push(...require(dialect, table, column));
  if (change.nulls === "allow") statements.push(alterColumn(sql`drop not null`));
  if (change.counts === "start") {
    const own = sql`pg_get_serial_sequence(${sql.lit(sequenceTable(table))}, ${sql.lit(column.name)})`;
    const next = sql`select setval(${own}, coalesce(max(${name}), 0) + 1, false) from ${tableName(table)}`;
    statements.push(alterColumn(sql`add generated by default as identity`), next);
  }
  return statements;
}

/** `pg_get_serial_sequence` parses its first argument as an identifier. */
export function sequenceTable(table: Pick<WantedTable, "schema" | "name">): string {
  return [table.schema ?? [], table.name]
    .flat()
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");
}

function onMysql(dialect: Dialect, table: WantedTable, { column, found, retypes }: ColumnChange): readonly Sql[] {
  const name = sql.id(column.name);
  const isRequired = !column.nullable && found.nullable;
  const value = retypes ? convertMysql(`\`${column.name.replaceAll("`", "``")}\``, found.type, column.type) : undefined;
  const modify = (nullable: boolean): Sql =>
    alter(table, sql`modify column ${columnDefinition(dialect, table, { ...column, nullable })}`);
  const update = value === undefined ? [] : [sql`update ${tableName(table)} set ${name} = ${sql.raw(value)}`];
  if (!isRequired) return [...update, modify(column.nullable)];
  return [...update, ...(retypes ? [modify(true)] : []), ...require(dialect, table, column)];
}

function changeKey(dialect: Dialect, { wanted, found, ...change }: TableChange): SchemaStep {
  const drop = found.primaryKey.length === 0 ? [] : [sql`drop primary key`];
  const add = sql`add primary key (${names(wanted.primaryKey)})`;
  const title = keyTitle(wanted);
  if (dialect.name === "postgres") {
    const name = found.primaryKeyName;
    const old = name === undefined ? [] : [alter(wanted, sql`drop constraint ${sql.id(name)}`)];
    return step(dialect, title, [...old, alter(wanted, add)]);
  }
  const counted = change.addColumns
    .filter(({ isCounted }) => isCounted)
    .map((column) => sql`add column ${columnDefinition(dialect, wanted, column)}`);
  const modified = change.changeColumns
    .filter(({ counts }) => counts !== undefined)
    .map(({ column }) => sql`modify column ${columnDefinition(dialect, wanted, column)}`);
  return step(dialect, title, [alter(wanted, ...drop, ...counted, ...modified, add)]);
}

function dropColumn(dialect: Dialect, change: TableChange, { name }: FoundTableColumn): SchemaStep {
  const { wanted } = change;
  const title = `drop column ${fullName(wanted)}.${name}`;
  return step(dialect, title, [alter(wanted, sql`drop column ${sql.id(name)}`)], dropNote(change, name));
}
