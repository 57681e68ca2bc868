import { sql } from "kysely";
import type { Connection } from "../../database.ts";
import { isOwnConstraint, isOwnIndex, possibleNames } from "../../schema/constraint-name.ts";
import type {
  FoundForeignKey,
  FoundIndex,
  FoundSchema,
  FoundTable,
  FoundTableColumn,
} from "../../schema/found-table.ts";
import { tableName } from "../../statement/scope.ts";
import { ask } from "../ask.ts";
import type { Dialect, Sql } from "../dialect.ts";
import { isWordsTrigger, searchedColumn, wordsTable } from "./sqlite-words-index.ts";

type Row = readonly unknown[];

/** Reads the parts of the existing tables that a migration plan compares. */
export async function readSqliteSchema(
  connection: Connection,
  dialect: Dialect,
  names: readonly string[],
): Promise<FoundSchema> {
  const found = new Map<string, FoundTable>();
  for (const name of names) {
    const rows = (statement: Sql): Promise<readonly Row[]> => ask(connection, dialect, statement);
    const columns = await rows(
      sql`select name, lower(type), "notnull", pk, dflt_value is not null or hidden > 1 from pragma_table_xinfo(${name})`,
    );
    if (columns.length === 0) continue;
    const [[text] = []] = await rows(sql`select sql from sqlite_schema where type = 'table' and name = ${name}`);
    const indexes = await readIndexes(rows, name, String(text));
    const primaryKey = columns.filter(([, , , place]) => Number(place) > 0);
    primaryKey.sort((left, right) => Number(left[3]) - Number(right[3]));
    const words = await rows(sql`select name from pragma_table_info(${wordsTable(name)}) order by name`);
    const [row] = await rows(sql`select 1 from ${tableName({ schema: undefined, name })} limit 1`);
    found.set(name, {
      schema: undefined,
      name,
      columns: new Map(columns.map((one) => [String(one[0]), toColumn(one, primaryKey)])),
      primaryKey: primaryKey.map(([column]) => String(column)),
      primaryKeyName: undefined,
      uniques: indexes.filter((index) => index.isUnique),
      indexes: indexes.filter((index) => !index.isUnique),
      foreignKeys: await readForeignKeys(rows, name, String(text)),
      peculiarities: peculiaritiesOf(String(text)),
      words: words.map(([column]) => searchedColumn(String(column))),
      companions: await readCompanions(rows, name, indexes),
      isEmpty: row === undefined,
    });
  }
  return found;
}

/** Returns the keywords of features of the table that its columns, keys and references don't show. */
function peculiaritiesOf(text: string): readonly string[] {
  const bare = text.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'|`[^`]*`|\[[^\]]*\]/g, "x").toLowerCase();
  const words = ["check", "default", "collate", "generated", "on update", "on conflict", "deferrable", "strict"];
  return [...words, "without rowid", "set null"].filter((word) => new RegExp(`\\b${word}\\b`).test(bare));
}

type Ask = (statement: Sql) => Promise<readonly Row[]>;

function toColumn([name, type, notNull, place, hasDefault]: Row, primaryKey: readonly Row[]): FoundTableColumn {
  const isKey = Number(place) > 0;
  // A single integer primary key is the row id, so SQLite fills it in if it is omitted.
  const isRowNumber = isKey && primaryKey.length === 1 && type === "integer";
  return {
    name: String(name),
    type: String(type),
    nullable: Number(notNull) === 0 && !isKey,
    isCounted: isRowNumber,
    isForeign: false,
    hasDefault: Number(hasDefault) === 1,
  };
}

type Index = FoundIndex & { readonly isUnique: boolean };

/** The end of the statement of a unique index that ignores deleted rows. */
const LIVING = / where "((?:[^"]|"")+)" is null$/;

async function readIndexes(rows: Ask, table: string, text: string): Promise<readonly Index[]> {
  const found: Index[] = [];
  const listed = await rows(
    sql`select l.name, l."unique", l.origin, l.partial, s.sql from pragma_index_list(${table}) l
      left join sqlite_schema s on s.type = 'index' and s.name = l.name order by l.name`,
  );
  for (const [name, unique, origin, partial, statement] of listed) {
    const places = await rows(sql`select name from pragma_index_info(${name}) order by seqno`);
    const living = Number(partial) === 1 && Number(unique) === 1 ? LIVING.exec(String(statement))?.[1] : undefined;
    const isOther = Number(partial) === 1 && living === undefined;
    if (origin === "pk" || isOther || places.some(([column]) => column === null)) continue;
    const columns = places.map(([column]) => String(column));
    const isConstraint = origin === "u";
    const own = isConstraint ? nameWithin(text, possibleNames(table, columns, "key")) : String(name);
    const rest = living === undefined ? {} : { living: living.replaceAll('""', '"') };
    found.push({ name: own, columns, isConstraint, isUnique: Number(unique) === 1, ...rest });
  }
  return found;
}

async function readForeignKeys(rows: Ask, table: string, text: string): Promise<readonly FoundForeignKey[]> {
  const listed = await rows(
    sql`select id, "table", "from", "to", on_delete from pragma_foreign_key_list(${table}) order by id, seq`,
  );
  const all = new Map<unknown, Row[]>();
  for (const row of listed) all.set(row[0], [...(all.get(row[0]) ?? []), row]);
  return Array.from(all.values(), (parts): FoundForeignKey => {
    const columns = parts.map(([, , from]) => String(from));
    const [[, target, , , onDelete] = []] = parts;
    return {
      name: nameWithin(text, possibleNames(table, columns, "fkey")),
      columns,
      target: String(target),
      targetColumns: parts.map(([, , , to]) => String(to)),
      cascades: onDelete === "CASCADE",
    };
  });
}

/**
 * SQLite doesn't report the names of constraints. The constraints of the store are found by name in the table's SQL
 * text.
 */
function nameWithin(text: string, [plain, other]: readonly [string, string]): string {
  return [other, plain].find((name) => text.includes(`"${name}"`)) ?? "";
}

async function readCompanions(rows: Ask, table: string, known: readonly FoundIndex[]): Promise<readonly string[]> {
  const texts = await rows(
    sql`select name, sql from sqlite_schema where tbl_name = ${table} and type in ('trigger', 'index') and sql is not null order by rowid`,
  );
  const isOwn = (index: FoundIndex): boolean =>
    isOwnIndex(table, index) || (index.living !== undefined && isOwnConstraint(table, index, "key"));
  const own = new Set(known.filter(isOwn).map(({ name }) => name));
  const isOther = (name: string): boolean => !own.has(name) && !isWordsTrigger(table, name);
  return texts.filter(([name]) => isOther(String(name))).map(([, text]) => String(text));
}
