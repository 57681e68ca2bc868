import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { slot } from "../../statement/slot.ts";
import type { IndexedWords } from "../../statement/scope.ts";
import { ask } from "../ask.ts";
import type { Dialect, Sql } from "../dialect.ts";
import { HAS_WORD, WORDS } from "./sqlite-words.ts";

/** Rows indexed in one transaction. */
const BATCH = 1_000;
const [INDEX, UNINDEXED] = ["bifocal_words_", "bifocal_unindexed_"];

/** Returns the name of the FTS5 table that holds the words of a table. */
export function wordsTable(table: string): string {
  return `${INDEX}${table}`;
}

/** Returns the name of the column that holds the words of a column. */
export function ftsColumn(column: string): string {
  return `${column}_words`;
}

/** Returns the column that a column of words belongs to. */
export function searchedColumn(name: string): string {
  return name.slice(0, -"_words".length);
}

/**
 * Returns the statements that create an index of words. Triggers record the rows whose texts have changed, on all
 * connections. Those of the store index such rows at once.
 */
export function createWords(table: string, columns: readonly string[] = []): readonly Sql[] {
  if (columns.length === 0) return [];
  const [index, unindexed] = [sql.id(wordsTable(table)), sql.id(UNINDEXED + table)];
  const trigger = (event: string, when: Sql, ...work: readonly Sql[]): Sql =>
    sql`create trigger ${sql.id(`${wordsTable(table)}_${event}`)} after ${sql.raw(event)} on ${sql.id(table)}${when} begin\n  ${sql.join(work, sql`;\n  `)};\nend`;
  const forget = (row: string): readonly Sql[] => [
    sql`delete from ${index} where rowid = ${sql.raw(row)}.rowid`,
    sql`delete from ${unindexed} where id = ${sql.raw(row)}.rowid`,
  ];
  const add = sql`insert into ${unindexed} (id) values (new.rowid)`;
  const changed = ["rowid", ...columns].map((name) => sql`old.${sql.id(name)} is not new.${sql.id(name)}`);
  return [
    sql`create virtual table ${index} using fts5(${sql.join(columns.map((one) => sql.id(ftsColumn(one))))}, content='', contentless_delete=1, detail=column, tokenize='ascii')`,
    sql`create table ${unindexed} (id integer primary key)`,
    trigger("insert", sql``, ...forget("new"), add),
    trigger("update", sql` when ${sql.join(changed, sql` or `)}`, ...forget("old"), ...forget("new"), add),
    trigger("delete", sql``, ...forget("old")),
  ];
}

/** Returns the statement that records all rows of a table as not indexed. */
export function forgetWords(table: string): Sql {
  return sql`insert into ${sql.id(UNINDEXED + table)} (id) select rowid from ${sql.id(table)}`;
}

export function dropWords(table: string): readonly Sql[] {
  const triggers = ["insert", "update", "delete"].map(
    (event) => sql`drop trigger if exists ${sql.id(`${wordsTable(table)}_${event}`)}`,
  );
  return [...triggers, sql`drop table ${sql.id(wordsTable(table))}`, sql`drop table ${sql.id(UNINDEXED + table)}`];
}

/** Whether a trigger of a table belongs to its index of words. */
export function isWordsTrigger(table: string, name: string): boolean {
  return name.startsWith(`${wordsTable(table)}_`);
}

/**
 * Returns the condition that a text has a word. The index is exact. Rows that other programs have written since the last
 * start of the store are read.
 */
export function isIndexed({ table, alias, column }: IndexedWords, value: string, index: number, isStart: boolean): Sql {
  const [words, unindexed] = [sql.id(wordsTable(table.name)), sql.id(UNINDEXED + table.name)];
  const query = slot(index, (word) => `"${column.replaceAll('"', '""')}" : "${word as string}"${isStart ? " *" : ""}`);
  const matches = hasWord(sql.id("rest", value), index, isStart);
  return sql`${sql.id(alias, "rowid")} in (select rowid from ${words} where ${words} match ${query}
    union all select rest.rowid from ${unindexed} as bifocal_row cross join ${sql.id(table.name)} as rest on rest.rowid = bifocal_row.id where ${matches})`;
}

export function hasWord(value: Sql, index: number, isStart: boolean): Sql {
  return sql`${sql.raw(HAS_WORD)}(${value}, ${slot(index, (word) => word)}, ${sql.lit(isStart ? 1 : 0)})`;
}

/**
 * Makes a connection index the rows that it writes, and indexes those that other programs have written. Only the store's
 * own connections can split texts into words.
 */
export async function indexWords(connection: Connection, dialect: Dialect): Promise<void> {
  const tables = await ask(
    connection,
    dialect,
    sql`select substr(name, ${sql.lit(UNINDEXED.length + 1)}) from sqlite_schema where type = 'table' and substr(name, 1, ${sql.lit(UNINDEXED.length)}) = ${sql.lit(UNINDEXED)}`,
  );
  for (const [name] of tables) {
    const table = String(name);
    const found = await ask(connection, dialect, sql`select name from pragma_table_info(${wordsTable(table)})`);
    const columns = found.map(([column]) => searchedColumn(String(column)));
    const unindexed = sql.id(UNINDEXED + table);
    const trigger = sql`create temp trigger if not exists ${sql.id(`${wordsTable(table)}_now`)} after insert on main.${unindexed} begin
      ${addWords(table, columns, sql`select new.id as id`)};
      delete from ${unindexed} where id = new.id;
    end`;
    await connection.run(textOf(dialect, trigger));
    await indexRest(connection, dialect, table, columns);
  }
}

async function indexRest(
  connection: Connection,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const unindexed = sql.id(UNINDEXED + table);
  const batch = sql`select id from ${unindexed} order by id limit ${sql.lit(BATCH)}`;
  const add = textOf(dialect, addWords(table, columns, batch));
  const forget = textOf(dialect, sql`delete from ${unindexed} where id in (${batch})`);
  for (;;) {
    const [row] = await ask(connection, dialect, sql`select 1 from ${unindexed} limit 1`);
    if (row === undefined) return;
    await connection.run("begin immediate");
    try {
      await connection.run(add);
      await connection.run(forget);
      await connection.run("commit");
    } catch (thrown) {
      await connection.run("rollback");
      throw thrown;
    }
    // Statements block the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function addWords(table: string, columns: readonly string[], ids: Sql): Sql {
  const [names, words] = [
    columns.map((one) => sql.id(ftsColumn(one))),
    columns.map((one) => sql`${sql.raw(WORDS)}(rest.${sql.id(one)})`),
  ];
  return sql`insert into ${sql.id(wordsTable(table))} (rowid, ${sql.join(names)}) select rest.rowid, ${sql.join(words)}
    from (${ids}) as bifocal_row cross join ${sql.id(table)} as rest on rest.rowid = bifocal_row.id`;
}

function textOf({ compiler }: Dialect, statement: Sql): string {
  return statement.compile(compiler).sql;
}
