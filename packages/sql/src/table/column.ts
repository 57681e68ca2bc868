import type { FieldModel, Json, WireType } from "@bifocal/core/store";

/** How a column of a database holds the values of a field. */
export interface ColumnType {
  /** Stored form, never null → what the driver binds. */
  readonly encode: (value: Json) => unknown;
  /** What the driver answers, never null → stored form. */
  readonly decode: (raw: unknown) => Json;
  /** Whether a column can hold this at all; a key that it cannot is none. Default: any. */
  readonly accepts?: (value: Json) => boolean;
}

export interface Column extends ColumnType {
  readonly field: FieldModel;
  /** In the database. */
  readonly name: string;
  /** The type that the database says the column has, in its own words; what it would be created with until that is known. */
  readonly declared: string;
  /** Whether text is compared by code point without being told to. */
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

/** Missing values are NULL. */
export function encodeOr({ encode }: ColumnType, value: Json): unknown {
  return value === null ? null : encode(value);
}
