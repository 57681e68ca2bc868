import { createHash } from "node:crypto";
import { isLongest, type Json, wordsOf } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { type IndexedWords, tableName } from "../../statement/scope.ts";
import { slot } from "../../statement/slot.ts";
import { wordsColumn } from "../../table/resolve-tables.ts";
import { columnOf } from "../../table/table.ts";
import { ask } from "../ask.ts";
import type { Dialect, Sql } from "../dialect.ts";

/** Longer words aren't indexed: the default and maximum of `innodb_ft_max_token_size`. */
const MAX_TOKEN = 84;
/** Makes every word longer than `innodb_ft_min_token_size`, and different from all stop words. */
const START = "w__";
/** Characters of a hash. It is longer than any indexed word. */
const HASH = 128;
/** Rows indexed by one statement. */
const BATCH = 500;

/** The type of a column with words. */
export const WORDS_TYPE = "longtext character set ascii collate ascii_bin";

/** Returns the column that is 1 in rows whose words don't belong to their text, because another program has written it. */
export function unindexedColumn(words: string): string {
  return words.replace(/words$/, "unindexed");
}

/** Returns the expression of that column. The words of a text start with its hash. */
export function isUnindexed(column: string): Sql {
  const [text, words] = [sql.id(column), sql.id(wordsColumn(column))];
  const binary = (value: Sql): Sql => sql`cast(${value} as binary(${sql.lit(HASH)}))`;
  const hash = sql`sha2(convert(${text} using utf8mb4), 512)`;
  return sql`if(${text} is null or ${binary(sql`left(${words}, ${sql.lit(HASH)})`)} <=> ${binary(hash)}, null, 1)`;
}

/** Returns what the store writes into the column of words: the hash of the text and its words. */
export function storedWords(text: string): string {
  return [createHash("sha512").update(text).digest("hex"), ...wordsOf(text).map(tokenOf)].join(" ");
}

/** Returns a word in letters, digits and underscores, which the parser of MySQL keeps together. */
function tokenOf(word: string): string {
  const letters = Array.from(word, (one) => (/[0-9a-z]/.test(one) ? one : `_${one.codePointAt(0)?.toString(36)}_`));
  return (START + letters.join("")).slice(0, MAX_TOKEN);
}

/** Whether the index has only the first characters of a word. */
export function isCut(word: string): boolean {
  return tokenOf(word).length === MAX_TOKEN || isLongest(word);
}

/** Returns the statement that selects the keys of the rows whose text has all words. */
export function wordRows({ table, column }: IndexedWords, searched: readonly SearchedWord[]): Sql {
  const keys = keysOf(table);
  const [words, unindexed] = [sql.id(column), sql.id(unindexedColumn(column))];
  // The index intersects the words of one search, and so reads only the rows that have all of them.
  const [first, ...others] = searched.map(({ word, isStart, index }) => {
    const open = isStart || isCut(word);
    return slot(index, (one: Json) => `+${tokenOf(one as string)}${open ? "*" : ""} `);
  });
  const query = others.length === 0 ? first : sql`concat(${sql.join([first, ...others])})`;
  const cut = searched.filter(({ word }) => isCut(word)).map(({ matches }) => sql` and ${matches}`);
  const all = searched.map(({ matches }) => sql` and ${matches}`);
  const from = sql`select ${keys} from ${tableName(table)} where`;
  return sql`${from} match (${words}) against (${query} in boolean mode) and ${unindexed} is null${sql.join(cut, sql``)}
    union all ${from} ${unindexed} = 1${sql.join(all, sql``)}`;
}

interface SearchedWord {
  readonly word: string;
  readonly isStart: boolean;
  readonly index: number;
  /** Compares the text itself. */
  readonly matches: Sql;
}

function keysOf(table: IndexedWords["table"]): Sql {
  return sql.join(table.resource.key.map((field) => sql.id(columnOf(table, field).name)));
}

/**
 * Indexes the rows that other programs have written. A migration may drop an index without words meanwhile, because
 * InnoDB reads the numbers of all updated rows at the start of each search until the index is created again.
 */
export async function indexWords(connection: Connection, dialect: Dialect, isMigration: boolean): Promise<void> {
  const found = await ask(
    connection,
    dialect,
    sql`select table_name as c0, column_name as c1, (select group_concat(k.column_name order by k.seq_in_index) from information_schema.statistics k
      where k.table_schema = c.table_schema and k.table_name = c.table_name and k.index_name = 'PRIMARY') as c2
      from information_schema.columns c where table_schema = database() and column_name like '%\\_unindexed' and generation_expression <> ''
        and (select count(*) from information_schema.columns o where o.table_schema = c.table_schema and o.table_name = c.table_name
          and o.column_name in (left(c.column_name, char_length(c.column_name) - 10), concat(left(c.column_name, char_length(c.column_name) - 9), 'words'))) = 2`,
  );
  for (const [table, column, keys] of found) {
    const text = String(column).slice(0, -"_unindexed".length);
    const one = { table: String(table), text, keys: String(keys).split(",") };
    const recreate = isMigration ? await dropEmptyIndex(connection, dialect, one) : undefined;
    await indexColumn(connection, dialect, one);
    if (recreate !== undefined) await ask(connection, dialect, recreate);
  }
}

/** Drops an index without words, and returns the statement that creates it again. */
async function dropEmptyIndex(
  connection: Connection,
  dialect: Dialect,
  { table, text }: Unindexed,
): Promise<Sql | undefined> {
  const words = wordsColumn(text);
  const [row] = await ask(
    connection,
    dialect,
    sql`select (select index_name from information_schema.statistics where table_schema = database() and table_name = ${table}
      and column_name = ${words} and index_type = 'FULLTEXT' limit 1) as c0 from ${sql.id(table)}
      where ${sql.id(`${text}_unindexed`)} = 1 and not exists (select 1 from ${sql.id(table)} where ${sql.id(words)} is not null) limit 1`,
  );
  const [name] = row ?? [];
  if (typeof name !== "string") return undefined;
  await ask(connection, dialect, sql`alter table ${sql.id(table)} drop index ${sql.id(name)}`);
  // Without `force`, which copies the table, MariaDB can number the rows in the index in another way than in the table, and
  // then finds none of them.
  return sql`alter table ${sql.id(table)} add fulltext index ${sql.id(name)} (${sql.id(words)}), force`;
}

interface Unindexed {
  readonly table: string;
  readonly text: string;
  readonly keys: readonly string[];
}

/** Goes through the table once: a row that is written meanwhile stays unindexed. */
async function indexColumn(connection: Connection, dialect: Dialect, { table, text, keys }: Unindexed): Promise<void> {
  const own = sql.join(keys.map((key) => sql.id(key)));
  const unindexed = sql`${sql.id(`${text}_unindexed`)} = 1`;
  let last: readonly unknown[] | undefined;
  for (;;) {
    const after = last === undefined ? sql`` : sql` and (${own}) > (${sql.join(last)})`;
    const rows = await ask(
      connection,
      dialect,
      sql`select ${own}, ${sql.id(text)} from ${sql.id(table)} where ${unindexed}${after} order by ${own} limit ${sql.lit(BATCH)}`,
    );
    if (rows.length === 0) return;
    const values = rows.map((row) => {
      const parts = row.slice(0, -1).map((key, at) => sql`${key} as ${sql.id(`k${at}`)}`);
      return sql`select ${sql.join(parts)}, ${storedWords(String(row.at(-1)))} as words`;
    });
    const same = keys.map((key, at) => sql`${sql.id("own", key)} = ${sql.id("given", `k${at}`)}`);
    await ask(
      connection,
      dialect,
      sql`update (${sql.join(values, sql` union all `)}) as given straight_join ${sql.id(table)} as own on ${sql.join(same, sql` and `)}
        set ${sql.id("own", wordsColumn(text))} = given.words`,
    );
    last = rows.at(-1)?.slice(0, -1);
  }
}
