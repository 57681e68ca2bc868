import { sql } from "kysely";
import type { Connection } from "../database.ts";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { fullName } from "../table/resolve-tables.ts";
import type { Found } from "../table/found.ts";
import { addForeignKeys, createPolicy, createTable } from "./print-table.ts";
import type { WantedTable } from "./wanted.ts";

/** Creates the missing tables and leaves existing ones unchanged. */
export async function createMissing(
  connection: Connection,
  dialect: Dialect,
  wanted: readonly WantedTable[],
  found: Found,
): Promise<void> {
  const missing = wanted.filter((table) => !found.has(fullName(table)));
  const statements = [
    ...missing.flatMap((table) => createTable(dialect, table)),
    ...missing.flatMap((table) => addForeignKeys(dialect, table)),
    ...missing.flatMap((table) => (table.policy === undefined ? [] : createPolicy(table, table.policy))),
  ];
  for (const statement of statements) await connection.run(textOf(dialect, statement));
}

/** Returns the SQL of a DDL statement, which has no parameters. */
export function textOf({ compiler }: Dialect, statement: Sql): string {
  return sql`${statement}`.compile(compiler).sql;
}
