import type { SchemaStep } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { convertSqlite } from "../dialect/sqlite/sqlite-decimals.ts";
import { createWords, dropWords, forgetWords } from "../dialect/sqlite/sqlite-words-index.ts";
import { tableName } from "../statement/scope.ts";
import { fullName } from "../table/resolve-tables.ts";
import { alter, step } from "./alter-table.ts";
import { isOwnConstraint } from "./constraint-name.ts";
import { addDanger, changeDanger, dropNote, dropUniqueNote, keyTitle } from "./notes.ts";
import { columnDefinition, createIndex, createTable, names, partialUniques } from "./print-table.ts";
import type { TableChange, TypeRules } from "./table-change.ts";
import type { WantedColumn, WantedTable } from "./wanted.ts";

/**
 * Returns the steps that change a table on SQLite. Only some changes are possible in place; for all others the table is
 * rebuilt.
 */
export function changeSqliteTable(dialect: Dialect, rules: TypeRules, change: TableChange): readonly SchemaStep[] {
  const { wanted, addColumns, dropIndexes, addIndexes } = change;
  if (needsRebuild(change)) return [rebuildTable(dialect, rules, change)];
  return [
    ...dropIndexes.map(({ name }) =>
      step(dialect, `drop index ${name} of ${wanted.name}`, [sql`drop index ${sql.id(name)}`]),
    ),
    ...addColumns.map((column) =>
      step(dialect, `add column ${wanted.name}.${column.name}`, [
        alter(wanted, sql`add column ${columnDefinition(dialect, wanted, column)}`),
      ]),
    ),
    ...addIndexes.map((index) =>
      step(
        dialect,
        `add index ${index.name} on ${wanted.name} (${index.columns.join(", ")})`,
        createIndex(dialect, wanted, index),
      ),
    ),
    ...changeWords(dialect, change),
  ];
}

/** The words of existing rows are indexed after the migration, because only the store can split texts. */
function changeWords(dialect: Dialect, { wanted: { name, words = [] }, found }: TableChange): readonly SchemaStep[] {
  const [before = [], now] = [found.words, found.peculiarities.includes("without rowid") ? [] : words];
  if (before.join() === now.join()) return [];
  const title = now.length === 0 ? `drop the words of ${name}` : `index the words of ${name} (${now.join(", ")})`;
  return [step(dialect, title, [...(before.length === 0 ? [] : dropWords(name)), ...createAndFill(name, now)])];
}

function createAndFill(table: string, columns: readonly string[]): readonly Sql[] {
  return columns.length === 0 ? [] : [...createWords(table, columns), forgetWords(table)];
}

function needsRebuild(change: TableChange): boolean {
  const { addColumns, dropColumns, changeColumns, addUniques, dropUniques, addForeignKeys, dropForeignKeys } = change;
  const lists = [dropColumns, changeColumns, addUniques, dropUniques, addForeignKeys, dropForeignKeys];
  return change.changesKey || addColumns.some(({ nullable }) => !nullable) || lists.some((list) => list.length > 0);
}

/**
 * Creates a table in the new form, copies the rows and renames it (SQLite, "ALTER TABLE", section 7). The caller turns
 * foreign keys off before the transaction and checks them before its end.
 */
function rebuildTable(dialect: Dialect, rules: TypeRules, change: TableChange): SchemaStep {
  const { wanted, found } = change;
  const kept = [...found.columns.values()].filter(
    ({ name }) => wanted.keep?.includes(name) === true && !wanted.columns.some((column) => column.name === name),
  );
  const extra = kept.map(({ name, type, nullable }): WantedColumn => ({ name, type, nullable, isCounted: false }));
  const target: WantedTable = { ...wanted, name: `bifocal_new_${wanted.name}`, columns: [...wanted.columns, ...extra] };
  const copied = target.columns.filter(({ isCounted, name }) => !isCounted || found.columns.has(name));
  const values = copied.map((column) => valueOf(change, column));
  // Partial indexes have their own names, which the old table still uses.
  const uniques = target.uniques.filter(({ living }) => living === undefined);
  const [create, ...others] = createTable(dialect, { ...target, uniques, indexes: [], words: [] });
  const statements = [
    ...((found.words ?? []).length > 0 ? dropWords(wanted.name) : []),
    create as Sql,
    ...others,
    sql`insert into ${tableName(target)} (${names(copied.map(({ name }) => name))}) select ${sql.join(values)} from ${tableName(wanted)}`,
    ...keepCount(change, target.name),
    sql`drop table ${tableName(wanted)}`,
    sql`alter table ${tableName(target)} rename to ${sql.id(wanted.name)}`,
    ...partialUniques(wanted),
    ...wanted.indexes.flatMap((index) => createIndex(dialect, wanted, index)),
    ...found.companions.map((text) => sql.raw(text)),
    // The new table has other row ids.
    ...createAndFill(wanted.name, wanted.words ?? []),
  ];
  const notes = [
    ...change.dropColumns.map(({ name }) => dropNote(change, name)),
    ...change.dropUniques.map((index) => dropUniqueNote(change, index)),
  ];
  const hint = notes.find((note) => note.hint !== undefined)?.hint;
  return step(dialect, titleOf(change), statements, { danger: dangerOf(rules, change), hint });
}

function valueOf({ found, changeColumns }: TableChange, column: WantedColumn): Sql {
  const fill = column.fill === undefined || column.nullable ? sql`null` : sql.raw(column.fill);
  if (!found.columns.has(column.name)) return fill;
  const change = changeColumns.find((one) => one.column.name === column.name);
  const own = sql.id(column.name);
  const value = change?.retypes === true ? convertSqlite(own, change.found.type, column.type) : own;
  const isFilled = change?.nulls === "require" && column.fill !== undefined;
  return isFilled ? sql`coalesce(${value}, ${fill})` : value;
}

/** Copies the counter, so that the numbers of deleted rows aren't reused. */
function keepCount({ wanted, found }: TableChange, target: string): readonly Sql[] {
  const counted = wanted.columns.find(({ isCounted }) => isCounted);
  if (counted === undefined || found.columns.get(counted.name)?.isCounted !== true) return [];
  const copy = sql`insert into sqlite_sequence (name, seq) select ${sql.lit(target)}, seq from sqlite_sequence where name = ${sql.lit(wanted.name)}`;
  return [sql`delete from sqlite_sequence where name = ${sql.lit(target)}`, copy];
}

function titleOf({ wanted, changesKey, ...change }: TableChange): string {
  const parts = [
    ...change.addColumns.map(({ name }) => `add column ${name}`),
    ...change.dropColumns.map(({ name }) => `drop column ${name}`),
    ...change.changeColumns.map(({ column }) => `change column ${column.name}`),
    ...(changesKey ? [keyTitle(wanted)] : []),
    ...change.addUniques.map(({ columns }) => `make ${columns.join(", ")} unique`),
    ...change.dropUniques.map(({ columns }) => `drop unique constraint on ${columns.join(", ")}`),
    ...change.addForeignKeys.map(
      ({ columns, target }) => `add reference from ${columns.join(", ")} to ${fullName(target)}`,
    ),
    ...change.dropForeignKeys.map(({ columns }) => `drop reference of ${columns.join(", ")}`),
    ...change.dropIndexes.map(({ name }) => `drop index ${name}`),
    ...change.addIndexes.map(({ name }) => `add index ${name}`),
  ];
  return `rebuild table ${wanted.name}: ${parts.join(", ")}`;
}

function dangerOf(rules: TypeRules, change: TableChange): string | undefined {
  const { addColumns, dropColumns, changeColumns } = change;
  const of = (name: string, danger: string | undefined): readonly string[] =>
    danger === undefined ? [] : [`${name}: ${danger}`];
  const dangers = [
    ...dropColumns.flatMap(({ name }) => of(name, dropNote(change, name).danger)),
    ...addColumns.flatMap((column) => of(column.name, addDanger(change, column))),
    ...changeColumns.flatMap((one) => of(one.column.name, changeDanger(rules, one))),
    ...change.dropUniques.flatMap((index) => dropUniqueNote(change, index).danger ?? []),
    ...lostParts(change).map((part) => `drops its ${part}; add it to the new table in the migration to keep it`),
  ];
  return dangers.length === 0 ? undefined : dangers.join("; ");
}

/** Returns the features of the old table that the store did not create and that the new table lacks. */
function lostParts({ wanted, found, dropUniques, dropForeignKeys }: TableChange): readonly string[] {
  const uniques = found.uniques.filter(
    (one) =>
      one.isConstraint &&
      !dropUniques.includes(one) &&
      !wanted.uniques.some(({ columns }) => columns.join() === one.columns.join()),
  );
  const references = found.foreignKeys.filter(
    (one) =>
      !isOwnConstraint(wanted.name, one, "fkey") &&
      !dropForeignKeys.includes(one) &&
      !wanted.foreignKeys.some(({ columns }) => columns.join() === one.columns.join()),
  );
  return [
    ...found.peculiarities,
    ...uniques.map(({ columns }) => `unique (${columns.join(", ")})`),
    ...references.map(({ columns }) => `reference of ${columns.join(", ")}`),
  ];
}
