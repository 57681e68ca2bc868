import { BifocalError, type FieldModel, isDecimal, type Json, type WireType } from "@bifocal/core/store";
import { notStorable } from "../errors.ts";

/** Converts between the values of a field and those of its column. */
export interface ColumnType {
  /** Converts a stored form, never null, to the value that the driver binds. */
  readonly encode: (value: Json) => unknown;
  /** Converts a value of the driver, never null, to the stored form. */
  readonly decode: (raw: unknown) => Json;
  /** Whether the column can hold a value. No row has a key that its column can't hold. Default: any value. */
  readonly accepts?: (value: Json) => boolean;
}

export interface Column extends ColumnType {
  readonly field: FieldModel;
  /** Name in the database. */
  readonly name: string;
  /** The type as the database reports it. Until that is known, the type that `declare` returns. */
  readonly declared: string;
  /** Whether the column keeps NULL. */
  readonly nullable: boolean;
  /** Whether the field is text and the column has a numeric type. Values are compared as numbers. */
  readonly isDecimal: boolean;
  /** The column that holds the words of the text for searches, if the table has one. */
  readonly words?: string | undefined;
  /** Whether text is compared by code point without an explicit collation. */
  readonly exact: boolean;
}

const TEXTS: ReadonlySet<WireType["kind"]> = new Set(["string", "email", "url", "enum", "time", "duration"]);

/** Whether a value is compared as text. */
export function isText({ kind }: WireType): boolean {
  return TEXTS.has(kind);
}

export function isJson({ kind }: WireType): boolean {
  return kind === "json" || kind === "object" || kind === "list";
}

/** Whether a text field is stored in a column whose values databases compare as numbers. */
export function isDecimalColumn({ type }: FieldModel, declared: string): boolean {
  return type.kind === "string" && NUMERIC.test(declared);
}

/** Numeric types of all databases, without PostgreSQL's `interval`. */
export const NUMERIC =
  /^(?:(?:tiny|small|medium|big|unsigned big )?int(?:eger|\d)?|numeric|decimal|dec|fixed|number|real|float|double)\b/;

/**
 * Encodes a value that a column is compared with. Throws BAD_REQUEST if the column holds numbers and the value isn't
 * one, because databases would fail or treat it as 0.
 */
export function encodeCompared(column: Column, value: Json): unknown {
  if (column.isDecimal && value !== null && !isDecimal(value as string)) {
    const message = `'${column.field.name}' is compared as a number, and the given value is not a number.`;
    throw new BifocalError("BAD_REQUEST", message);
  }
  return encodeOr(column, value);
}

/**
 * Encodes a value that is written into a column. Throws VALIDATION_FAILED for a value that the column can't hold, because
 * databases would round it.
 */
export function encodeWritten(column: Column, value: Json): unknown {
  if (value !== null && column.accepts?.(value) === false) throw notStorable(column.field.name);
  return encodeOr(column, value);
}

/** Encodes a value; missing values become NULL. */
export function encodeOr({ encode }: ColumnType, value: Json): unknown {
  return value === null ? null : encode(value);
}
