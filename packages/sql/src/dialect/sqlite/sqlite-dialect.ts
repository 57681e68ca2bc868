import { foldCase, type Json } from "@bifocal/core/store";
import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { partAt } from "../../statement/row-values.ts";
import { slot } from "../../statement/slot.ts";
import { type Column, encodeCompared, encodeWritten } from "../../table/column.ts";
import type { Dialect, ListOperand, ListOperator, Sql } from "../dialect.ts";
import { average, averageAs } from "./sqlite-averages.ts";
import { faultOf } from "./sqlite-faults.ts";
import { foldShape, foldStored } from "./sqlite-fold.ts";
import { guard, guardByChance } from "./sqlite-guard.ts";
import { ftsColumn, hasWord, indexWords, isIndexed, wordsTable } from "./sqlite-words-index.ts";
import { comparedSum, sum, sumAs } from "./sqlite-sums.ts";
import { textOf } from "./sqlite-texts.ts";
import { asOurs, asWritten } from "./sqlite-foreign.ts";
import { keepsValues } from "./sqlite-kept.ts";
import { columnType, declare } from "./sqlite-types.ts";

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export interface SqliteFeatures {
  /** Tables and views without row ids, by their names in lower case. */
  readonly withoutRowId: ReadonlySet<string>;
  /** Whether SQLite has FTS5 with deletions from tables without content (3.43). */
  readonly hasFullText: boolean;
  /** False if the file is in UTF-16, which changes U+FFFF. */
  readonly isUtf8: boolean;
}

/**
 * `features` describes the store's own connections, whose statements can be stopped. Omit it for connections of the
 * application.
 */
export function sqliteDialect(features?: SqliteFeatures): Dialect {
  const dialect = plainDialect();
  if (features === undefined) return dialect;
  const hasRowId = (table: string): boolean => !features.withoutRowId.has(table.toLowerCase());
  const guarded: Dialect = {
    ...dialect,
    // An insert into a view changes no row that SQLite counts.
    keeps: ({ name }, column) => (features.isUtf8 && hasRowId(name) ? keepsValues(column) : undefined),
    wordMatch: ({ column, value, words, isStart }, index) =>
      words === undefined ? hasWord(value, index, isStart) : isIndexed(words, column.name, index, isStart),
    guard({ table, alias, value }) {
      if (hasRowId(table.name)) return guard(alias);
      return guardByChance(value(table.resource.key[0] as string));
    },
  };
  const indexed: Dialect = features.hasFullText ? { ...guarded, ...fullText } : guarded;
  return { ...indexed, thorough: { ...indexed, relatesBy: "list" } };
}

const fullText: Pick<Dialect, "findWords" | "hasWordsTables" | "indexWords"> = {
  hasWordsTables: true,
  findWords(found, { schema, name }, column) {
    const words = ftsColumn(column);
    return schema === undefined && found.get(wordsTable(name))?.has(words) ? words : undefined;
  },
  indexWords: (connection) => indexWords(connection, plainDialect()),
};

function plainDialect(): Dialect {
  return {
    name: "sqlite",
    isRemote: false,
    compiler,
    returning: { insert: true, update: true },
    begin: "begin immediate",
    forUpdate: sql``,
    slotsOf: () => 1,
    declare,
    columnType,
    // A JavaScript number can't represent all integers beyond 2^53.
    readable: (column, value) => (isDigits(column) ? sql`cast(${value} as text)` : asWritten(column, value)),
    ordered: asOurs,
    equated: asOurs,
    operand,
    standIn: operand,
    written: (column, index) => slot(index, (value) => encodeWritten(column, value)),
    unlessThere: () => sql` on conflict do nothing`,
    datePart(column, value, part) {
      const length = sql.lit(part === "year" ? 4 : part === "month" ? 7 : 10);
      return { value: sql`substr(${asOurs(column, value)}, 1, ${length})`, readable: (one) => one };
    },
    sum,
    average: (column, value, type) => average(column, value, type, sum(column, value)),
    comparedSum,
    comparedAs: (kind, column, type) => (kind === "sum" ? sumAs(column, type) : averageAs(column, type)),
    asDouble: (value) => sql`cast(${value} as real)`,
    isIn: (column, value, { index }) =>
      sql`${asOurs(column, value)} in (select value from json_each(${slot(index, (list) => listText(column, list as readonly Json[]))}))`,
    isInRows(columns, values, { index }) {
      const own = columns.map((column, at) => asOurs(column, values[at] as Sql));
      const parts = columns.map((_, at) => sql`json_extract(value, ${sql.lit(`$[${at}]`)})`);
      const list = slot(index, (rows) => rowsText(columns, rows as readonly Json[]));
      return sql`(${sql.join(own)}) in (select ${sql.join(parts)} from json_each(${list}))`;
    },
    foldShape,
    textMatch: {
      contains: (_, value, index) => sql`instr(${value}, ${slot(index, same)}) > 0`,
      endsWith: (_, value, index) => endsWith(value, slot(index, same)),
      icontains: (_, value, index, needle) => sql`instr(${foldStored(value, index, needle)}, ${folded(index)}) > 0`,
      istartsWith: (_, value, index, needle) => sql`instr(${foldStored(value, index, needle)}, ${folded(index)}) = 1`,
      iendsWith: (_, value, index, needle) => endsWith(foldStored(value, index, needle), folded(index)),
    },
    listMatch,
    texts: textOf,
    joinTexts: (text) => sql`group_concat(${text}, ',')`,
    text: (index) => slot(index, same),
    comparesRows: true,
    orderBy: (value, descending, nullable) => {
      if (!nullable) return descending ? sql`${value} desc` : value;
      return descending ? sql`${value} desc nulls first` : sql`${value} asc nulls last`;
    },
    limit: (limit, offset) =>
      offset === undefined ? sql` limit ${sql.lit(limit)}` : sql` limit ${sql.lit(limit)} offset ${offset}`,
    faultOf,
  };

  function operand(column: Column, index: number, pick: (value: Json) => Json = same): Sql {
    return slot(index, (value) => encodeCompared(column, pick(value)));
  }
}

/**
 * Compares bytes, because `length()` of a text stops at the first NUL. `substr(x, -0)` returns all of `x`, so the empty
 * suffix is handled first.
 */
function endsWith(value: Sql, end: Sql): Sql {
  const bytes = sql`cast(${end} as blob)`;
  return sql`(${end} = '' and ${value} is not null or substr(cast(${value} as blob), -length(${bytes})) = ${bytes})`;
}

const same = (value: Json): Json => value;

function folded(index: number): Sql {
  return slot(index, (text) => foldCase(text as string));
}

function isDigits({ field: { type } }: Column): boolean {
  return type.kind === "bigint" || type.kind === "decimal";
}

/** Returns a JSON list of the values in their stored form. */
function listText(column: Column, list: readonly Json[]): string {
  return `[${list.map((value) => itemText(encodeCompared(column, value))).join(",")}]`;
}

function rowsText(columns: readonly Column[], rows: readonly Json[]): string {
  const rowText = (row: Json): string =>
    `[${columns.map((column, at) => itemText(encodeCompared(column, partAt(at)(row)))).join(",")}]`;
  return `[${rows.map(rowText).join(",")}]`;
}

/**
 * 64-bit integers are written in full. JSON has no infinity, but SQLite reads a number that is too large as infinity.
 * Other numbers beyond 2^53 get an exponent, because SQLite would read their digits as a different integer.
 */
function itemText(item: unknown): string {
  if (typeof item === "bigint") return String(item);
  if (typeof item !== "number" || Math.abs(item) <= Number.MAX_SAFE_INTEGER) return JSON.stringify(item);
  return Math.abs(item) === Infinity ? `${Math.sign(item)}e999` : item.toExponential();
}

function listMatch(_: Column, value: Sql, operator: ListOperator, { index }: ListOperand): Sql {
  const list = slot(index, (given) => JSON.stringify(operator === "has" ? [given] : given));
  // The type is compared too, because `json_each` returns 1 for true.
  const items = (json: Sql): Sql => sql`select type, value from json_each(${json})`;
  if (operator === "hasSome") return sql`exists (${items(value)} intersect ${items(list)})`;
  return sql`(${value} is not null and not exists (${items(list)} except ${items(value)}))`;
}
