import type { FieldModel } from "@bifocal/core/store";
import { type ColumnType, isJson } from "../../table/column.ts";
import { asDecimal } from "../decimals.ts";
import { asDate, asJson, asMoment, asNumber, asText } from "../values.ts";

/** Returns the type of a new column. JSON is stored as `json` instead of `jsonb`, to keep the order of members. */
export function declare({ type }: FieldModel): string {
  switch (type.kind) {
    case "uuid":
      return "uuid";
    case "integer":
      return type.wide === true ? "bigint" : "integer";
    case "number":
      return "double precision";
    case "bigint":
      return "numeric";
    case "decimal":
      return `numeric(${type.precision},${type.scale})`;
    case "boolean":
      return "boolean";
    case "date":
      return "date";
    case "datetime":
      return "timestamp with time zone";
    default:
      return isJson(type) ? "json" : 'text collate "C"';
  }
}

export function columnType(field: FieldModel, declared: string): ColumnType {
  const accepts = limitOf(field, declared);
  const own = plainType(field, declared);
  return accepts === undefined ? own : { ...own, accepts };
}

/** Returns a check for values that don't fit into a column whose type is narrower than the field's. */
function limitOf({ type }: FieldModel, declared: string): ColumnType["accepts"] {
  if (type.kind === "decimal") return undefined;
  const [, length] = /^character(?: varying)?\((\d+)\)$/.exec(declared) ?? [];
  if (length !== undefined) return (value) => Array.from(value as string).length <= Number(length);
  const [, precision, scale] = /^numeric\((\d+),(\d+)\)$/.exec(declared) ?? [];
  if (precision !== undefined) return (value) => Math.abs(Number(value)) < 10 ** (Number(precision) - Number(scale));
  if (declared === "smallint") return (value) => Math.abs(Number(value) + 0.5) < 2 ** 15;
  if (declared === "integer" && (type.kind !== "integer" || type.wide === true))
    return (value) => Math.abs(Number(value) + 0.5) < 2 ** 31;
  if (declared === "bigint" && type.kind === "bigint")
    return (value) => BigInt.asIntN(64, BigInt(value as string)) === BigInt(value as string);
  return undefined;
}

function plainType({ type }: FieldModel, declared: string): ColumnType {
  switch (type.kind) {
    case "integer":
    case "number":
      return asNumber;
    case "boolean":
      return asBoolean;
    case "datetime":
      return asMoment;
    case "date":
      return asDate;
    case "decimal":
      return asDecimal(type, declared);
    case "list":
      return isArray(declared) ? asArray : asJson;
    case "json":
    case "object":
      return asJson;
    default:
      return declared === "uuid" ? asUuid : asText;
  }
}

const asBoolean: ColumnType = {
  encode: (value) => value,
  decode: (raw) => raw === "t" || raw === "true" || raw === true,
};

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const asUuid: ColumnType = { ...asText, accepts: (value) => UUID.test(value as string) };

/** A native array, read through `to_json`. */
const asArray: ColumnType = { encode: (value) => value, decode: asJson.decode };

export function isArray(declared: string): boolean {
  return declared.endsWith("[]");
}

/**
 * Returns the type of a parameter that is compared with a column. It is wide enough for any value that a caller can
 * send.
 */
export function operandType(declared: string): string {
  switch (declared) {
    case "smallint":
    case "integer":
      return "bigint";
    case "real":
      return "double precision";
    default:
      if (declared.startsWith("numeric")) return "numeric";
      return /^(text|character|name)/.test(declared) ? "text" : declared;
  }
}

/** Types whose values an insert converts in the same way, whether they come from a parameter or a `select`. */
const WRITTEN =
  /^(uuid|text|smallint|integer|bigint|numeric|real|double precision|boolean|date|timestamp with time zone|jsonb?)$/;

/**
 * Returns the type of a parameter for a new value of a column. It has no length, because a cast to `varchar(3)` would
 * cut the text off, whereas the insert rejects it.
 */
export function writtenType(declared: string): string | undefined {
  const base = declared.replace(/ collate .*$/, "").replace(/\(\d+(,\d+)?\)/, "");
  const type = base === "character varying" ? "text" : base;
  return WRITTEN.test(type) ? type : undefined;
}
