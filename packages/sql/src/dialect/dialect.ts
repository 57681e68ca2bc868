import type { FieldModel, GroupTerm, Json, Operator, WireType } from "@bifocal/core/store";
import type { Kysely, RawBuilder } from "kysely";
import type { Connection } from "../database.ts";
import type { Column, ColumnType } from "../table/column.ts";
import type { IndexedWords, Scope } from "../statement/scope.ts";
import type { Found } from "../table/found.ts";
import type { Table } from "../table/table.ts";
import type { Average, ComparedAggregate, ComparedColumn } from "./averages.ts";
import type { Fault } from "./fault.ts";

export type Sql = RawBuilder<unknown>;

/** Returns whether a column keeps a value as it was sent. */
export type KeepsValue = (value: Json) => boolean;

export type DialectName = "postgres" | "mysql" | "sqlite";

/** A list of values that a statement binds. The dialect decides how many parameters the list needs. */
export interface ListOperand {
  /** The position of the list among the values. */
  readonly index: number;
  /** The number of parameters, if each value has its own. */
  readonly slots: number;
}

/** Everything that differs between databases. Each dialect's folder has the same file names. */
export interface Dialect {
  readonly name: DialectName;
  /** True if each statement is sent over a network. */
  readonly isRemote: boolean;
  /** Compiles statements but never runs them. */
  readonly compiler: Kysely<unknown>;
  /** Whether writes can return the rows they wrote. MySQL supports neither, MariaDB only inserts. */
  readonly returning: { readonly insert: boolean; readonly update: boolean };
  readonly begin: string;
  /** Locks a row until the transaction ends. Empty if the database has only one writer at a time. */
  readonly forUpdate: Sql;
  /**
   * Reads the latest committed rows and locks them until the transaction ends. Set if a plain read wouldn't show that
   * they have changed since.
   */
  readonly forShare?: Sql;
  /** The number of parameters for a list. It is part of a statement's shape. */
  readonly slotsOf: (length: number) => number;
  /** Returns the type of a new column. `isKeyed` is true if the column is part of a key, an index or a reference. */
  readonly declare: (field: FieldModel, isKeyed: boolean) => string;
  readonly columnType: (field: FieldModel, declared: string) => ColumnType;
  /** Returns a column in a form that `decode` reads. */
  readonly readable: (column: Column, value: Sql) => Sql;
  /** Text in code point order; other values unchanged. */
  readonly ordered: (column: Column, value: Sql) => Sql;
  /** Returns a value in the form that compares as equal to a parameter. */
  readonly equated: (column: Column, value: Sql) => Sql;
  /** Returns a parameter as a value of the column. */
  readonly operand: (column: Column, index: number, pick?: (value: Json) => Json) => Sql;
  /** Returns a parameter in the place of the column. Comparisons with it use the column's collation and type. */
  readonly standIn: (column: Column, index: number) => Sql;
  /** Returns a parameter that is written into a column. The value may be missing. */
  readonly written: (column: Column, index: number) => Sql;
  /**
   * Returns the type of a parameter whose value a `select` passes to an insert, which converts it as it would convert
   * the parameter itself. Undefined for a column whose type has no such parameter. Absent if a statement can't have
   * several writes.
   */
  readonly writtenAs?: (column: Column) => string | undefined;
  /** Returns the JSON of a non-null value in the change log, or `undefined` if only JavaScript can write it. */
  readonly loggedText?: (column: Column, value: Sql) => Sql | undefined;
  /**
   * Whether a value can be bound to a column without an error from the database. If present, a single statement can
   * both lock a row and write it, because a write may be part of a read.
   */
  readonly takes?: (column: Column, value: Json) => boolean;
  /**
   * Returns how a column keeps the values of an insert as they were sent; undefined if it may change them. Absent if the
   * database has to return what it inserted.
   */
  readonly keeps?: (table: Table, column: Column) => KeepsValue | undefined;
  /**
   * Returns the condition that a table may change the values of inserted rows, for example with a trigger. It holds
   * until the statement ends. Absent if no table does.
   */
  readonly mayChange?: (table: Pick<Table, "schema" | "name">) => Sql;
  /** Returns a parameter with a JSON text as a JSON value. Present with `mayChange`. */
  readonly asJson?: (parameter: Sql) => Sql;
  /**
   * Advances the counter of an auto-incremented column past a value that the caller supplied. Absent if the database
   * does so by itself.
   */
  readonly countOn?: (table: Pick<Table, "schema" | "name">, column: Column, index: number) => Sql;
  /**
   * True if the affected-row count of an update includes rows that it left unchanged. Such a count doesn't show whether
   * anything was written. Default false.
   */
  readonly countsFound?: boolean;
  /** Makes an insert do nothing if the row already exists. `column` is any column of the key. */
  readonly unlessThere: (column: string) => Sql;
  /** Returns a list of values as one operand for a lateral join. Absent if the dialect has no such operand. */
  readonly operandList?: (column: Column, index: number, pick?: (value: Json) => Json) => Sql;
  /**
   * Returns the JSON text of a non-null value, or `undefined` for a column whose JSON only JavaScript can write. Absent
   * if the dialect doesn't support the single-statement plan.
   */
  readonly texts?: (column: Column, value: Sql) => Sql | undefined;
  /** Wraps a text that is the same for all rows of a subquery, so that the database computes it once. */
  readonly once?: (text: Sql) => Sql;
  /** Joins the texts of rows with commas, in the order of a subquery. */
  readonly joinTexts: (text: Sql) => Sql;
  /** Returns a parameter as text, whatever its context. */
  readonly text: (index: number) => Sql;
  /** Returns the part of a date or datetime by which rows are grouped, and its text: `2026`, `2026-01`, `2026-01-31`. */
  readonly datePart: (column: Column, value: Sql, part: DatePart) => GroupedValue;
  /** Returns the sum of a column: a number for numbers, and otherwise exact text. */
  readonly sum: (column: Column, value: Sql) => GroupedSum;
  /** Returns the average of a column. `type` is the type of the average. */
  readonly average: (column: Column, value: Sql, type: WireType) => Average;
  /** Returns the sum of a column in the form that is compared. Default: as `sum` returns it. */
  readonly comparedSum?: (column: Column, value: Sql) => ComparedAggregate;
  /** Returns the column as which a sum or an average of a column is compared. Default: a column of its type. */
  readonly comparedAs?: (kind: "sum" | "avg", column: Column, type: WireType) => ComparedColumn | undefined;
  /** Returns a number as a double-precision number. */
  readonly asDouble: (value: Sql) => Sql;
  readonly isIn: (column: Column, value: Sql, list: ListOperand) => Sql;
  /** Like `isIn` for several columns. Each value of the list is a list with a part for each column. */
  readonly isInRows: (columns: readonly Column[], values: readonly Sql[], list: ListOperand) => Sql;
  /** Returns the part of a case-folded text that changes the statement. It is part of the statement's shape. */
  readonly foldShape: (folded: string) => string;
  readonly textMatch: Readonly<Record<TextOperator, TextMatch>>;
  /** Compares the words of a text with a parameter. Absent if the connection can't do that. */
  readonly wordMatch?: (match: WordMatch, index: number) => Sql;
  /** Returns the words of a text, for a generated column with an index. Absent if the database has no such column. */
  readonly words?: (text: Sql) => Sql;
  /** Returns the column that holds the words of a column, if the database has one. */
  readonly findWords?: (found: Found, table: Pick<Table, "schema" | "name">, column: string) => string | undefined;
  /**
   * Returns what the store writes into the column for the words of a text. Absent if the database or its triggers do
   * that. The index doesn't show rows that the current transaction wrote.
   */
  readonly storedWords?: (text: string) => string;
  /** Returns the expression of the column that is 1 in rows whose words don't belong to their text. */
  readonly isUnindexed?: (column: string) => Sql;
  /**
   * Returns the statement that selects the keys of the rows whose text has all words, which are parameters. Absent if
   * `wordMatch` uses the index.
   */
  readonly wordRows?: (words: IndexedWords, searched: readonly (WordMatch & { readonly index: number })[]) => Sql;
  /** Returns the part of a word that changes the statement. It is part of the statement's shape. Default: none. */
  readonly wordShape?: (word: string) => string;
  /** The dialect within a transaction, if it differs. */
  readonly within?: Dialect;
  /** The part of a statement's shape that differs from the dialect outside of transactions. */
  readonly shape?: string;
  /** Whether tables of their own hold the words of texts. Default false. */
  readonly hasWordsTables?: boolean;
  /**
   * Prepares a connection to index the words of the rows that it writes, and indexes those that other programs have
   * written. Absent if the database does this by itself.
   */
  readonly indexWords?: (connection: Connection, isMigration: boolean) => Promise<void>;
  readonly listMatch: (column: Column, value: Sql, operator: ListOperator, list: ListOperand) => Sql;
  /** Whether a subquery in `from` can refer to the tables before it. Default false. */
  readonly hasLateral?: boolean;
  /** Whether an index supports row comparisons such as `(a, b) > (x, y)`. */
  readonly comparesRows: boolean;
  /**
   * Returns the terms of `order by` for one value. Missing values sort last in ascending order and first in descending
   * order.
   */
  readonly orderBy: (value: Sql, descending: boolean, nullable: boolean) => Sql;
  readonly limit: (limit: number, offset: Sql | undefined) => Sql;
  /**
   * A condition that is true for all rows of a scope and stops a statement that runs too long. Absent if the server can
   * cancel statements.
   */
  readonly guard?: (scope: Scope) => Sql;
  /** Evaluation of conditions on related rows: for each row (the default) or once for all rows. */
  readonly relatesBy?: "row" | "list";
  /** The dialect for slow statements. */
  readonly thorough?: Dialect;
  /** Classifies an error of the driver; `undefined` if it is a defect. */
  readonly faultOf: (thrown: unknown) => Fault | undefined;
}

export type DatePart = NonNullable<GroupTerm["part"]>;

/** A value of a group, and its text in an outer query. */
export interface GroupedValue {
  readonly value: Sql;
  readonly readable: (value: Sql) => Sql;
}

export interface GroupedSum extends GroupedValue {
  readonly decode: (raw: unknown) => Json;
}

/** Compares a column with a parameter. `needle` is the text of the parameter, or another text with the same `foldShape`. */
export type TextMatch = (column: Column, value: Sql, index: number, needle: string) => Sql;
/** A text that must have a word, or a word that starts with it. `words` is the index of its words, if there is one. */
export interface WordMatch {
  readonly column: Column;
  readonly value: Sql;
  readonly words: IndexedWords | undefined;
  readonly word: string;
  readonly isStart: boolean;
}
/** Text operators that databases write in different ways. */
export type TextOperator = Extract<Operator, "contains" | "endsWith" | "icontains" | "istartsWith" | "iendsWith">;
export type ListOperator = Extract<Operator, "has" | "hasSome" | "hasEvery">;
