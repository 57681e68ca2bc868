import type { SchemaStep } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { dropWords } from "../dialect/sqlite/sqlite-words-index.ts";
import { tableName } from "../statement/scope.ts";
import { fullName } from "../table/resolve-tables.ts";
import { textOf } from "./create-tables.ts";
import type { FoundForeignKey, FoundIndex, FoundTable } from "./found-table.ts";
import { createIndex, createUnique, foreignKey, names } from "./print-table.ts";
import type { WantedForeignKey, WantedIndex, WantedTable } from "./wanted.ts";

// The steps whose SQL is almost the same on PostgreSQL and MySQL.

type Named = Pick<FoundTable, "schema" | "name">;

export function step(dialect: Dialect, title: string, statements: readonly Sql[], more: Note = {}): SchemaStep {
  const { danger, hint } = more;
  return {
    title,
    statements: statements.map((statement) => textOf(dialect, statement)),
    ...(danger === undefined ? {} : { danger }),
    ...(hint === undefined ? {} : { hint }),
  };
}

export interface Note {
  readonly danger?: string | undefined;
  readonly hint?: string | undefined;
}

export function alter(table: Named, ...parts: readonly Sql[]): Sql {
  return sql`alter table ${tableName(table)} ${sql.join(parts, sql`, `)}`;
}

export function dropForeignKey(dialect: Dialect, table: Named, { name }: FoundForeignKey): SchemaStep {
  const word = dialect.name === "mysql" ? sql`drop foreign key` : sql`drop constraint`;
  return step(dialect, `drop reference ${name} of ${fullName(table)}`, [alter(table, sql`${word} ${sql.id(name)}`)]);
}

export function addForeignKey(dialect: Dialect, table: WantedTable, key: WantedForeignKey): SchemaStep {
  const title = `add reference from ${fullName(table)}.${key.columns.join(", ")} to ${fullName(key.target)}.${key.targetColumns.join(", ")}`;
  return step(dialect, title, [alter(table, sql`add ${foreignKey(key)}`)]);
}

export function dropIndex(dialect: Dialect, table: Named, index: FoundIndex, note: Note): SchemaStep {
  const { name, isConstraint } = index;
  const title = `drop index ${name} of ${fullName(table)}`;
  if (dialect.name === "mysql") return step(dialect, title, [alter(table, sql`drop index ${sql.id(name)}`)], note);
  if (isConstraint) return step(dialect, title, [alter(table, sql`drop constraint ${sql.id(name)}`)], note);
  const qualified = tableName({ schema: table.schema, name });
  return step(dialect, title, [sql`drop index ${qualified}`], note);
}

export function addIndex(dialect: Dialect, table: WantedTable, index: WantedIndex): SchemaStep {
  const title = `add index ${index.name} on ${fullName(table)} (${index.columns.join(", ")})`;
  return step(dialect, title, createIndex(dialect, table, index));
}

export function addUnique(dialect: Dialect, table: WantedTable, index: WantedIndex): SchemaStep {
  const { name, columns, living } = index;
  const title = `make ${columns.join(", ")} of ${fullName(table)} unique`;
  if (living !== undefined) return step(dialect, `${title} where ${living} is null`, [createUnique(table, index)]);
  return step(dialect, title, [alter(table, sql`add constraint ${sql.id(name)} unique (${names(columns)})`)]);
}

export function dropTable(dialect: Dialect, table: FoundTable, created: readonly string[]): SchemaStep {
  const words = (table.words ?? []).length > 0 ? dropWords(table.name) : [];
  return step(dialect, `drop table ${fullName(table)}`, [...words, sql`drop table ${tableName(table)}`], {
    danger: "deletes all rows of the table",
    hint:
      created.length === 0
        ? undefined
        : `If it was renamed, write \`alter table … rename to …\` by hand instead (new: ${created.join(", ")}).`,
  });
}
