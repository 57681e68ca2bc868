import { foldCase, type Json, MAX_SEARCHED_TEXT } from "@bifocal/core/store";
import { DummyDriver, Kysely, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from "kysely";
import { partAt } from "../../statement/row-values.ts";
import { isAmong } from "../../statement/searched-keys.ts";
import { slot } from "../../statement/slot.ts";
import { type Column, encodeCompared, encodeOr, encodeWritten, isText } from "../../table/column.ts";
import { fullName, wordsColumn } from "../../table/resolve-tables.ts";
import type { Dialect, ListOperand, ListOperator, Sql } from "../dialect.ts";
import { hasSigma } from "../like.ts";
import { sumDecoder } from "../sums.ts";
import { average, averageAs } from "./mysql-averages.ts";
import { faultOf } from "./mysql-faults.ts";
import { columnType, declare } from "./mysql-types.ts";
import { wordPattern } from "./mysql-words.ts";
import { indexWords, isCut, isUnindexed, storedWords, unindexedColumn, wordRows } from "./mysql-words-index.ts";

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
});

export interface MysqlFeatures {
  /**
   * True if the application supplied the driver. It may parse values in its own way, so columns are selected as text.
   */
  readonly isHosted: boolean;
  readonly isMariaDb: boolean;
  /** The collation whose `lower()` covers most of Unicode. */
  readonly lowerCollation: string;
  /** Whether the settings of full-text indexes fit the words that the store writes. */
  readonly hasFullText: boolean;
}

export function mysqlDialect(features: MysqlFeatures): Dialect {
  const dialect = plainDialect(features);
  if (!features.hasFullText) return dialect;
  const { wordMatch } = dialect;
  const rows: NonNullable<Dialect["wordRows"]> = (words, searched) =>
    wordRows(
      words,
      searched.map(({ index, ...match }) => {
        return { ...match, index, matches: wordMatch({ ...match, value: sql.id(match.column.name) }, index) };
      }),
    );
  const stored: Dialect = { ...dialect, storedWords, isUnindexed, findWords };
  return {
    ...stored,
    wordRows: rows,
    wordShape: (word) => (isCut(word) ? "~c" : ""),
    wordMatch(match, index) {
      const { words } = match;
      return words === undefined ? wordMatch(match, index) : isAmong(words, rows(words, [{ ...match, index }]));
    },
    indexWords: (connection, isMigration) => indexWords(connection, dialect, isMigration),
    within: { ...stored, shape: "within " },
  };
}

const findWords: NonNullable<Dialect["findWords"]> = (found, table, column) => {
  const columns = found.get(fullName(table));
  const words = wordsColumn(column);
  return columns?.get(words)?.declared === "longtext" && columns.has(unindexedColumn(words)) ? words : undefined;
};

type PlainDialect = Dialect & Required<Pick<Dialect, "wordMatch">>;

function plainDialect({ isHosted, isMariaDb, lowerCollation }: MysqlFeatures): PlainDialect {
  /** Compares by code point and keeps trailing spaces. */
  const collation = isMariaDb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
  const exact = (column: Column, value: Sql): Sql =>
    isText(column.field.type) && !column.exact
      ? sql`(convert(${value} using utf8mb4) collate ${sql.raw(collation)})`
      : value;
  const compared = (column: Column, value: Sql): Sql => (column.isDecimal ? value : exact(column, value));
  const lower = (value: Sql): Sql =>
    sql`(lower(${value} collate ${sql.raw(lowerCollation)}) collate ${sql.raw(collation)})`;
  // `lower()` maps each letter separately. It would drop the dot of `İ` and keep `ς`.
  const fold = (value: Sql, needle: string): Sql => {
    const folded = foldCase(needle);
    const text = lower(hasDot(folded) ? sql`replace(${value}, 'İ', 'i\u0307')` : value);
    return hasSigma(folded) ? sql`replace(${text}, 'ς', 'σ')` : text;
  };
  return {
    name: "mysql",
    isRemote: true,
    compiler,
    returning: { insert: isMariaDb, update: false },
    begin: "start transaction",
    forUpdate: sql` for update`,
    forShare: sql` lock in share mode`,
    // Lists of similar lengths share one statement.
    slotsOf: (length) => (length <= 1 ? length : 2 ** Math.ceil(Math.log2(length))),
    declare: (field, isKeyed) => declare(field, isKeyed, collation),
    columnType,
    readable(column, value) {
      const isNumber = column.field.type.kind === "number";
      const exactly = isNumber && column.declared.startsWith("float") ? asDouble(value) : value;
      if (!isHosted) return exactly;
      // Drivers round the numbers that they parse. Without a length, a derived table would truncate the text to 22
      // characters.
      return isNumber ? sql`cast(${exactly} as char(80))` : sql`cast(${value} as char)`;
    },
    ordered: compared,
    equated: compared,
    operand: operandAt,
    standIn: (column, index) => {
      const value = operandAt(column, index);
      return isText(column.field.type) && !column.isDecimal
        ? sql`(convert(${value} using utf8mb4) collate ${sql.raw(collation)})`
        : value;
    },
    written: (column, index) => slot(index, (value) => written(column, value)),
    // `mysql2` sets FOUND_ROWS by default.
    countsFound: isHosted,
    unlessThere: (column) => sql` on duplicate key update ${sql.id(column)} = ${sql.id(column)}`,
    datePart(_, value, part) {
      const format = part === "year" ? "%Y" : part === "month" ? "%Y-%m" : "%Y-%m-%d";
      return { value: sql`date_format(${value}, ${sql.lit(format)})`, readable: (one) => one };
    },
    sum: ({ field }, value) => ({
      value: sql`sum(${value})`,
      readable: (one) => sql`cast(${one} as char(100))`,
      decode: sumDecoder(field),
    }),
    average,
    comparedAs: (kind, column, type) => (kind === "avg" ? averageAs(column, type) : undefined),
    asDouble,
    isIn(column, value, { index, slots }) {
      if (slots === 0) return sql`(${value} is not null and false)`;
      const items = Array.from({ length: slots }, (_, at) =>
        operand(
          column,
          slot(index, (list) => encodeCompared(column, itemAt(list as readonly Json[], at))),
        ),
      );
      return sql`${compared(column, value)} in (${sql.join(items)})`;
    },
    isInRows(columns, values, { index, slots }) {
      const own = sql.join(columns.map((column, at) => compared(column, values[at] as Sql)));
      if (slots === 0) return sql`1 = 0`;
      const rows = Array.from({ length: slots }, (_, row) => {
        const parts = columns.map((column, at) =>
          operandAt(column, index, (list) => partAt(at)(itemAt(list as readonly Json[], row))),
        );
        return sql`(${sql.join(parts)})`;
      });
      return sql`(${own}) in (${sql.join(rows)})`;
    },
    foldShape: (folded) => `${hasSigma(folded) ? "~s" : ""}${hasDot(folded) ? "~i" : ""}`,
    textMatch: {
      contains: (column, value, index) => sql`instr(${exact(column, value)}, ${slot(index, same)}) > 0`,
      endsWith: (column, value, index) => endsWith(exact(column, value), slot(index, same)),
      icontains: (column, value, index, needle) =>
        sql`instr(${fold(exact(column, value), needle)}, ${folded(index)}) > 0`,
      istartsWith: (column, value, index, needle) =>
        sql`left(${fold(exact(column, value), needle)}, char_length(${folded(index)})) = ${folded(index)}`,
      iendsWith: (column, value, index, needle) => endsWith(fold(exact(column, value), needle), folded(index)),
    },
    wordMatch: ({ column, value, isStart }, index) =>
      sql`left(${exact(column, value)}, ${sql.lit(MAX_SEARCHED_TEXT)}) regexp ${slot(index, (word) => wordPattern(word as string, isStart))}`,
    listMatch: (column, value, operator, list) =>
      isMariaDb && hasNumbers(column) ? numbersMatch(value, operator, list) : listMatch(column, value, operator, list),
    joinTexts: (text) => sql`group_concat(${text})`,
    text: (index) => slot(index, same),
    comparesRows: false,
    orderBy: (value, descending, nullable) => {
      const own = descending ? sql`${value} desc` : value;
      if (!nullable) return own;
      return descending ? sql`${value} is null desc, ${own}` : sql`${value} is null, ${own}`;
    },
    limit: (limit, offset) =>
      offset === undefined ? sql` limit ${sql.lit(limit)}` : sql` limit ${sql.lit(limit)} offset ${offset}`,
    faultOf,
  };
}

/** `İ` folds to `i` and a combining dot. */
function hasDot(folded: string): boolean {
  return folded.includes("i") || folded.includes("\u0307");
}

/** Pads a list to its number of slots by repeating the last value. */
function itemAt(list: readonly Json[], at: number): Json {
  return list[Math.min(at, list.length - 1)] as Json;
}

function operandAt(column: Column, index: number, pick: (value: Json) => Json = same): Sql {
  return operand(
    column,
    slot(index, (value) => encodeCompared(column, pick(value))),
  );
}

/** Maximum number of digits of a decimal in MySQL. */
const MAX_PRECISION = 65;

function operand(column: Column, value: Sql): Sql {
  // MySQL would compare decimals and text as floating-point numbers.
  if (column.isDecimal) return sql`cast(${value} as decimal(65,30))`;
  const { type } = column.field;
  if (type.kind === "decimal") {
    const precision = Math.min(type.precision, MAX_PRECISION);
    return sql`cast(${value} as decimal(${sql.lit(precision)},${sql.lit(type.scale)}))`;
  }
  return type.kind === "bigint" ? sql`cast(${value} as decimal(65,0))` : value;
}

/** For a `float`, this is the value that MySQL compares it as. Its text has fewer digits and would not equal it. */
function asDouble(value: Sql): Sql {
  return sql`(${value} + 0e0)`;
}

/** MySQL would round a decimal, whereas it rejects other values that don't fit. */
function written(column: Column, value: Json): unknown {
  return column.field.type.kind === "decimal" ? encodeWritten(column, value) : encodeOr(column, value);
}

const same = (value: Json): Json => value;

function endsWith(value: Sql, end: Sql): Sql {
  return sql`right(${value}, char_length(${end})) = ${end}`;
}

function folded(index: number): Sql {
  return slot(index, (text) => foldCase(text as string));
}

function hasNumbers({ field: { type } }: Column): boolean {
  return type.kind === "list" && (type.item.kind === "number" || type.item.kind === "integer");
}

/** MariaDB's `json_contains` and `json_overlaps` treat numbers that differ by less than 1e-12 as equal. */
function numbersMatch(value: Sql, operator: ListOperator, { index }: ListOperand): Sql {
  const list = slot(index, (given) => JSON.stringify(operator === "has" ? [given] : given));
  const stored = sql`json_table(${value}, '$[*]' columns (v double path '$')) as stored`;
  const wanted = sql`json_table(${list}, '$[*]' columns (v double path '$')) as wanted`;
  if (operator !== "hasEvery")
    return sql`exists (select 1 from ${stored} inner join ${wanted} on stored.v <=> wanted.v)`;
  const missing = sql`select 1 from ${wanted} where not exists (select 1 from ${stored} where stored.v <=> wanted.v)`;
  return sql`(${value} is not null and not exists (${missing}))`;
}

function listMatch(_: Column, value: Sql, operator: ListOperator, { index }: ListOperand): Sql {
  const list = slot(index, (given) => JSON.stringify(operator === "has" ? [given] : given));
  return operator === "hasSome" ? sql`json_overlaps(${value}, ${list})` : sql`json_contains(${value}, ${list})`;
}
