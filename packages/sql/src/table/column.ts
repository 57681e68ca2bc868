import type { FieldModel, Json, WireType } from "@bifocal/core/store";

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

/** Encodes a value; missing values become NULL. */
export function encodeOr({ encode }: ColumnType, value: Json): unknown {
  return value === null ? null : encode(value);
}
