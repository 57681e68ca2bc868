import type { Row } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Dialect, Sql } from "../dialect/dialect.ts";
import { columnOf } from "../table/table.ts";
import type { Scope } from "./scope.ts";

/** Names of the given rows, the inserted ones and their JSON texts. The tables of an application won't have them. */
export const [GIVEN, ROWS, TEXTS] = ["bifocal_given", "bifocal_rows", "bifocal_texts"] as const;

const [KEY, ROW, AFTER] = ["key", "row", "after"].map((name) => sql.id(name)) as [Sql, Sql, Sql];

/** Reads the inserted rows, given those of the command. Returns `undefined` if a reference is missing. */
export type ReadInserted = (
  found: readonly (readonly unknown[])[],
  given: readonly Row[],
) => readonly Row[] | undefined;

/** Writes the texts of each row once for the log, the receipt and the result. */
export function buildTexts(dialect: Dialect, inserted: Scope, logged: readonly string[] | undefined): Sql {
  const texts = [
    sql`${keyText(dialect, inserted)} as ${KEY}`,
    sql`${rowText(dialect, inserted, [...inserted.table.columns.keys()])} as ${ROW}`,
  ];
  if (logged !== undefined && !isWhole(inserted, logged))
    texts.push(sql`${rowText(dialect, inserted, logged)} as ${AFTER}`);
  return sql`${sql.id(TEXTS)} as (select ${sql.join(texts)} from ${sql.id(ROWS)})`;
}

/** Returns the column of `buildTexts` that the log needs. */
export function loggedColumn(inserted: Scope, logged: readonly string[]): Sql {
  return isWhole(inserted, logged) ? ROW : AFTER;
}

/** Whether the log has all fields of a row, because none is secret. */
function isWhole({ table }: Scope, logged: readonly string[]): boolean {
  return logged.length === table.columns.size;
}

/** Fails with the number of inserted rows, if a trigger skipped some of them. */
export const failSkipped: Sql = sql`('number of inserted rows: ' || count(*))::numeric`;

/**
 * Selects the inserted rows as one text, or NULL if the database has stored the given rows unchanged. The statement fails
 * if a trigger skipped one of the rows, because the others would be taken for it.
 */
export function selectTexts(): Sql {
  const isWhole = sql`count(*) = (select number from ${sql.id(GIVEN)})`;
  const stored = sql`case when ${isWhole} then '[' || string_agg(${ROW}, ',') || ']' else ${failSkipped}::text end`;
  return sql`nullif(${stored}, (select rows from ${sql.id(GIVEN)})) from ${sql.id(TEXTS)} having count(*) > 0`;
}

export const readTexts: ReadInserted = ([result], given) => {
  if (result === undefined) return undefined;
  const [text] = result;
  return text === null ? given : (JSON.parse(text as string) as readonly Row[]);
};

/** Returns the JSON of some fields of a row. */
export function rowText(dialect: Dialect, inserted: Scope, names: readonly string[]): Sql {
  const members = names.map((name, at) => {
    const before = `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`;
    return sql`${sql.lit(before)} || coalesce(${textOf(dialect, inserted, name)}, 'null')`;
  });
  return sql`${sql.join(members, sql` || `)} || '}'`;
}

/** Returns the JSON of a row's key. */
export function keyText(dialect: Dialect, inserted: Scope): Sql {
  const parts = inserted.table.resource.key.map((name) => textOf(dialect, inserted, name));
  return parts.length === 1 ? (parts[0] as Sql) : sql`'[' || ${sql.join(parts, sql` || ',' || `)} || ']'`;
}

function textOf({ loggedText }: Dialect, { table, value }: Scope, name: string): Sql {
  return loggedText?.(columnOf(table, name), value(name)) as Sql;
}
