import { foldCase, type Json } from "@bifocal/core/store";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, sql } from "kysely";
import { partAt } from "../../statement/row-values.ts";
import { slot } from "../../statement/slot.ts";
import { type Column, encodeCompared, encodeOr, encodeWritten, isText } from "../../table/column.ts";
import { fullName, wordsColumn } from "../../table/resolve-tables.ts";
import type { Dialect, ListOperand, ListOperator, Sql } from "../dialect.ts";
import { escapeLike, hasSigma } from "../like.ts";
import { sumDecoder } from "../sums.ts";
import { average } from "./postgres-averages.ts";
import { countOn } from "./postgres-count.ts";
import { faultOf } from "./postgres-faults.ts";
import { keepsValues, mayChange } from "./postgres-kept.ts";
import { loggedText, textOf } from "./postgres-texts.ts";
import { wordsOf } from "./postgres-words.ts";
import { SharingCompiler } from "./sharing-compiler.ts";
import { columnType, declare, isArray, operandType, writtenType } from "./postgres-types.ts";

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new SharingCompiler(),
  },
});

export interface PostgresFeatures {
  /**
   * True if the application supplied the driver. It may parse values in its own way, so columns are selected as text.
   */
  readonly isHosted: boolean;
  /** The collation with which `lower()` covers all of Unicode. */
  readonly lowerCollation: string | undefined;
}

export function postgresDialect({ isHosted, lowerCollation }: PostgresFeatures): Dialect {
  const lower = (value: Sql): Sql =>
    lowerCollation === undefined ? sql`lower(${value})` : sql`lower(${value} collate ${sql.ref(lowerCollation)})`;
  const fold = (value: Sql, needle: string): Sql =>
    hasSigma(foldCase(needle)) ? sql`replace(${lower(value)}, 'ς', 'σ')` : lower(value);
  return {
    name: "postgres",
    isRemote: true,
    compiler,
    returning: { insert: true, update: true },
    begin: "begin isolation level repeatable read",
    forUpdate: sql` for update`,
    slotsOf: () => 1,
    declare,
    columnType,
    readable(column, value) {
      if (isArray(column.declared)) return sql`to_json(${value})`;
      // PostgreSQL compares a `real` as `double precision`. The text of the `real` has fewer digits and would not equal it.
      const isReal = column.declared === "real" && column.field.type.kind === "number";
      const exactly = isReal ? asDouble(value) : value;
      return isHosted ? sql`${exactly}::text` : exactly;
    },
    ordered: (column, value) => (isText(column.field.type) && !column.isDecimal ? exact(column, value) : value),
    equated,
    operand,
    // The parameter gets the collation of an exact column. For other columns, the comparison sets the collation.
    standIn: (column, index) =>
      isText(column.field.type) && !column.isDecimal && column.exact
        ? sql`(${operand(column, index)} collate "C")`
        : operand(column, index),
    written: (column, index) => slot(index, (value) => written(column, value)),
    writtenAs: ({ declared }) => writtenType(declared),
    loggedText,
    keeps: (_, column) => keepsValues(column),
    mayChange,
    // The driver of an application would write the JSON of the text if PostgreSQL asked for JSON.
    asJson: (parameter) => (isHosted ? sql`${parameter}::text::json` : sql`${parameter}::json`),
    takes: (column, value) => value === null || (!isForeign(column) && column.accepts?.(value) !== false),
    countOn,
    datePart(column, value, part) {
      const format = part === "year" ? "YYYY" : part === "month" ? "YYYY-MM" : "YYYY-MM-DD";
      const truncated = sql`date_trunc(${sql.lit(part)}, ${utc(column, value)})`;
      return { value: truncated, readable: (one) => sql`to_char(${one}, ${sql.lit(format)})` };
    },
    sum: ({ declared, field }, value) => ({
      decode: sumDecoder(field),
      // The sum of a `real` would be a `real`.
      value: sql`sum(${declared === "real" ? asDouble(value) : value})`,
      readable: (one) => sql`${one}::text`,
    }),
    average,
    asDouble,
    unlessThere: () => sql` on conflict do nothing`,
    operandList,
    isIn: (column, value, { index }) => sql`${equated(column, value)} = any(${operandList(column, index)})`,
    isInRows(columns, values, { index }) {
      const own = columns.map((column, at) => equated(column, values[at] as Sql));
      const lists = columns.map((column, at) => operandList(column, index, partAt(at)));
      return sql`(${sql.join(own)}) in (select * from unnest(${sql.join(lists)}))`;
    },
    foldShape: (folded) => (hasSigma(folded) ? "~s" : ""),
    textMatch: {
      contains: (column, value, index) => like(asText(column, value), index, (text) => `%${text}%`),
      endsWith: (column, value, index) => like(asText(column, value), index, (text) => `%${text}`),
      icontains: (column, value, index, needle) =>
        like(fold(asText(column, value), needle), index, (text) => `%${foldCase(text)}%`),
      istartsWith: (column, value, index, needle) =>
        like(fold(asText(column, value), needle), index, (text) => `${foldCase(text)}%`),
      iendsWith: (column, value, index, needle) =>
        like(fold(asText(column, value), needle), index, (text) => `%${foldCase(text)}`),
    },
    wordMatch: ({ value, words, isStart }, index) =>
      sql`${words === undefined ? wordsOf(value, lower) : sql.id(words.alias, words.column)} @@ ${slot(index, (word) => `'${word as string}'${isStart ? ":*" : ""}`)}::tsquery`,
    words: (text) => wordsOf(text, lower),
    findWords(found, table, column) {
      const name = wordsColumn(column);
      // A field of the resource may have a column with the same name.
      return found.get(fullName(table))?.get(name)?.declared === "tsvector" ? name : undefined;
    },
    listMatch,
    texts: textOf,
    // PostgreSQL evaluates an uncorrelated subquery once per execution of the outer query (InitPlan).
    once: (text) => sql`(select ${text})`,
    joinTexts: (text) => sql`string_agg(${text}, ',')`,
    text: (index) => sql`${slot(index, same)}::text`,
    hasLateral: true,
    comparesRows: true,
    orderBy: (value, descending) => (descending ? sql`${value} desc` : value),
    limit: (limit, offset) =>
      offset === undefined ? sql` limit ${sql.lit(limit)}` : sql` limit ${sql.lit(limit)} offset ${offset}`,
    faultOf,
  };
}

function asDouble(value: Sql): Sql {
  return sql`(${value})::double precision`;
}

/** A date or datetime as a timestamp in UTC, without a time zone. */
function utc({ declared }: Column, value: Sql): Sql {
  if (declared === "date" || declared.endsWith("without time zone")) return sql`${value}::timestamp`;
  const moment = declared.endsWith("with time zone") ? value : sql`${value}::timestamptz`;
  return sql`(${moment} at time zone 'UTC')`;
}

/** The text of a column, which may be of an enum of the database. */
function asText(column: Column, value: Sql): Sql {
  return operandType(column.declared) === "text" ? value : sql`${value}::text`;
}

function like(text: Sql, index: number, pattern: (escaped: string) => string): Sql {
  return sql`${text} like ${slot(index, (given) => pattern(escapeLike(given as string)))}::text escape '!'`;
}

function operand(column: Column, index: number, pick: (value: Json) => Json = same): Sql {
  return sql`${slot(index, (value) => encodeCompared(column, pick(value)))}::${sql.raw(comparedAs(column))}`;
}

function operandList(column: Column, index: number, pick: (value: Json) => Json = same): Sql {
  const list = slot(index, (values) => listOf(values).map((value) => encodeCompared(column, pick(value))));
  return sql`${list}::${sql.raw(comparedAs(column))}[]`;
}

/** PostgreSQL would round a decimal, whereas it rejects other values that don't fit. */
function written(column: Column, value: Json): unknown {
  return column.field.type.kind === "decimal" ? encodeWritten(column, value) : encodeOr(column, value);
}

const same = (value: Json): Json => value;

function listOf(value: Json): readonly Json[] {
  return value as readonly Json[];
}

/**
 * Whether text is stored in a column of another type, such as an enum. PostgreSQL rejects comparisons of such a column
 * with other text.
 */
function isForeign(column: Column): boolean {
  return isText(column.field.type) && operandType(column.declared) !== "text";
}

function comparedAs(column: Column): string {
  // Integers and floating-point numbers are compared with decimals as well.
  if (column.isDecimal || column.field.type.kind === "decimal") return "numeric";
  return isForeign(column) ? "text" : operandType(column.declared);
}

function equated(column: Column, value: Sql): Sql {
  return isForeign(column) && !column.isDecimal ? sql`${value}::text` : value;
}

/** Orders text by code point. Without the cast, an enum would sort in the order of its declaration. */
function exact(column: Column, value: Sql): Sql {
  if (column.exact && !isForeign(column)) return value;
  return operandType(column.declared) === "text" ? sql`${value} collate "C"` : sql`${value}::text collate "C"`;
}

function listMatch(column: Column, value: Sql, operator: ListOperator, { index }: ListOperand): Sql {
  const wanted = (given: Json): readonly Json[] => (operator === "has" ? [given] : listOf(given));
  if (isArray(column.declared)) {
    const list = sql`${slot(index, wanted)}::${sql.raw(column.declared)}`;
    return operator === "hasSome" ? sql`${value} && ${list}` : sql`${value} @> ${list}`;
  }
  const list = sql`${slot(index, (given) => JSON.stringify(wanted(given)))}::jsonb`;
  const items = sql`select jsonb_array_elements(${value}::jsonb)`;
  if (operator === "hasSome") return sql`exists (${items} intersect select jsonb_array_elements(${list}))`;
  return sql`(${value} is not null and not exists (select jsonb_array_elements(${list}) except ${items}))`;
}
