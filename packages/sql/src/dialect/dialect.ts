import type { FieldModel, Json, Operator } from "@bifocal/core/store";
import type { Kysely, RawBuilder } from "kysely";
import type { Column, ColumnType } from "../table/column.ts";
import type { Scope } from "../statement/scope.ts";
import type { Table } from "../table/table.ts";
import type { Fault } from "./fault.ts";

/** A piece of SQL. */
export type Sql = RawBuilder<unknown>;

export type DialectName = "postgres" | "mysql" | "sqlite";

/** A list of values that a statement binds; how many parameters that takes is its dialect's business. */
export interface ListOperand {
  /** The place of the list among the values. */
  readonly index: number;
  /** How many parameters stand for it, where each value is one. */
  readonly slots: number;
}

/** What differs between databases. The same file names in each folder. */
export interface Dialect {
  readonly name: DialectName;
  /** Each statement goes over a network and back. */
  readonly isRemote: boolean;
  /** Compiles statements; never runs any. */
  readonly compiler: Kysely<unknown>;
  /** Writes can answer the rows they wrote. MySQL cannot, MariaDB can for inserts. */
  readonly returning: { readonly insert: boolean; readonly update: boolean };
  /** What begins a transaction. */
  readonly begin: string;
  /** Keeps a row from being changed until the transaction ends. Empty where writers are alone anyway. */
  readonly forUpdate: Sql;
  /** Reads the newest rows and keeps them as they are until the transaction ends, where reading alone would not show that they have changed since. */
  readonly forShare?: Sql;
  /** How many parameters a list takes: part of a statement's shape. */
  readonly slotsOf: (length: number) => number;
  /** The type of a new column. `isKeyed`: part of a key, an index or a reference. */
  readonly declare: (field: FieldModel, isKeyed: boolean) => string;
  readonly columnType: (field: FieldModel, declared: string) => ColumnType;
  /** A column in a form that `decode` reads. */
  readonly readable: (column: Column, value: Sql) => Sql;
  /** All values of a readable column, in the order of a subquery, as the text of a JSON list of what `decode` reads. Absent where rows come one by one. */
  readonly listOf?: (column: Column, value: Sql) => Sql;
  /** Text as code points order it; any other value as it is. */
  readonly ordered: (column: Column, value: Sql) => Sql;
  /** A value in the form in which it is equal to a parameter, or not. */
  readonly equated: (column: Column, value: Sql) => Sql;
  /** A parameter as a value of the column. */
  readonly operand: (column: Column, index: number, pick?: (value: Json) => Json) => Sql;
  /** A parameter that stands for the column itself, so that whatever is compared with it is compared in the column's way. */
  readonly standIn: (column: Column, index: number) => Sql;
  /** A parameter that is written into a column; the value may be missing. */
  readonly written: (column: Column, index: number) => Sql;
  /**
   * Whether a value can be bound to a column, whatever becomes of it then. Where this is told, one statement can keep a row
   * and write it: what writes may be part of what reads.
   */
  readonly takes?: (column: Column, value: Json) => boolean;
  /** Makes a column that the database counts go on behind a value that a row came with. Absent where it does so by itself. */
  readonly countOn?: (table: Pick<Table, "schema" | "name">, column: Column, index: number) => Sql;
  /** A write that changes nothing may count the rows it found, so that whether it made any cannot be told from that. Default false. */
  readonly countsFound?: boolean;
  /** What makes an insert of a pair leave one alone that is there. */
  readonly unlessThere: (column: string) => Sql;
  /** A list of values as one operand, for a lateral join; absent where there are none. */
  readonly operandList?: (column: Column, index: number) => Sql;
  /** The JSON text of a value that is not null; `undefined` for a column of which only JavaScript can tell. Absent where there is no such plan. */
  readonly texts?: (column: Column, value: Sql) => Sql | undefined;
  /** A text that is the same for all rows of a subquery, so that it is made once. */
  readonly once?: (text: Sql) => Sql;
  /** Texts of rows with commas between them, in the order in which a subquery answers them. */
  readonly joinTexts: (text: Sql) => Sql;
  /** A value that is text, whatever stands around it. */
  readonly text: (index: number) => Sql;
  readonly isIn: (column: Column, value: Sql, list: ListOperand) => Sql;
  /** The part of a folded text that a case-insensitive statement depends on; part of its shape. */
  readonly foldShape: (folded: string) => string;
  /** `needle`: the text that the parameter has, or another of the same `foldShape`. */
  readonly textMatch: (column: Column, value: Sql, operator: TextOperator, index: number, needle: string) => Sql;
  readonly listMatch: (column: Column, value: Sql, operator: ListOperator, list: ListOperand) => Sql;
  /** Whether an index can follow a comparison of rows, `(a, b) > (x, y)`. */
  readonly comparesRows: boolean;
  /** The terms of `order by` for one value: missing values last ascending, first descending. */
  readonly orderBy: (value: Sql, descending: boolean, nullable: boolean) => Sql;
  readonly limit: (limit: number, offset: Sql | undefined) => Sql;
  /** A condition that is true of all rows of a scope, by which a statement that takes long can be stopped. Absent where the server does that. */
  readonly guard?: (scope: Scope) => Sql;
  /** How conditions along relations are asked: for each row (the default), or once for all rows. */
  readonly relatesBy?: "row" | "list";
  /** The dialect for statements that take long. */
  readonly thorough?: Dialect;
  /** What a failure of the driver means; `undefined` where it is a defect. */
  readonly faultOf: (thrown: unknown) => Fault | undefined;
}

export type TextOperator = Extract<Operator, "contains" | "endsWith" | "icontains" | "istartsWith" | "iendsWith">;
export type ListOperator = Extract<Operator, "has" | "hasSome" | "hasEvery">;
