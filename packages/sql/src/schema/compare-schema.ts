import { sql } from "kysely";
import type { Connection } from "../database.ts";
import { ask } from "../dialect/ask.ts";
import type { Dialect, DialectName } from "../dialect/dialect.ts";
import { mysqlRules } from "../dialect/mysql/mysql-changes.ts";
import { readMysqlSchema } from "../dialect/mysql/mysql-schema.ts";
import { postgresRules } from "../dialect/postgres/postgres-changes.ts";
import { readPostgresSchema } from "../dialect/postgres/postgres-schema.ts";
import { sqliteRules } from "../dialect/sqlite/sqlite-changes.ts";
import { readSqliteSchema } from "../dialect/sqlite/sqlite-schema.ts";
import { tableName } from "../statement/scope.ts";
import { fullName } from "../table/resolve-tables.ts";
import { compareTable } from "./compare-table.ts";
import type { FoundSchema } from "./found-table.ts";
import type { Comparison } from "./plan-steps.ts";
import type { TableChange, TypeRules } from "./table-change.ts";
import type { WantedTable } from "./wanted.ts";

export const TYPE_RULES: Readonly<Record<DialectName, TypeRules>> = {
  postgres: postgresRules,
  mysql: mysqlRules,
  sqlite: sqliteRules,
};

const READERS = { postgres: readPostgresSchema, mysql: readMysqlSchema, sqlite: readSqliteSchema } as const;

/**
 * Reads the database and compares it with the wanted tables. `made` lists the tables that migrations created, including
 * those that the model may no longer need.
 */
export async function compareSchema(
  connection: Connection,
  dialect: Dialect,
  wanted: readonly WantedTable[],
  made: readonly string[],
): Promise<Comparison> {
  const names = new Set(wanted.map(fullName));
  const spare = made.filter((name) => !names.has(name));
  const found: FoundSchema = await READERS[dialect.name](connection, dialect, [...names, ...spare]);
  const changes: TableChange[] = [];
  for (const table of wanted) {
    const there = found.get(fullName(table));
    if (there === undefined) continue;
    changes.push(await lookForNulls(connection, dialect, compareTable(TYPE_RULES[dialect.name], table, there)));
  }
  return {
    missing: wanted.filter((table) => !found.has(fullName(table))),
    changes,
    spare: spare.flatMap((name) => found.get(name) ?? []),
  };
}

async function lookForNulls(connection: Connection, dialect: Dialect, change: TableChange): Promise<TableChange> {
  const changeColumns = [];
  for (const one of change.changeColumns) {
    const { name } = one.column;
    const rows =
      one.nulls === "require"
        ? await ask(
            connection,
            dialect,
            sql`select 1 from ${tableName(change.wanted)} where ${sql.id(name)} is null limit 1`,
          )
        : [];
    changeColumns.push({ ...one, hasNulls: rows.length > 0 });
  }
  return { ...change, changeColumns };
}
