import type { FieldModel } from "@bifocal/core/store";
import { type ColumnType, isJson } from "../../table/column.ts";
import { asDate, asJson, asNumber, asText, momentFrom, sixDigits } from "../values.ts";
import { decimalColumn, declareDecimal } from "./sqlite-decimals.ts";

/**
 * Returns the type of a new column. Datetimes are text that always has six fractional digits, so that text order is
 * time order.
 */
export function declare({ name, type }: FieldModel): string {
  switch (type.kind) {
    case "integer":
    case "boolean":
    case "bigint":
      return "integer";
    case "number":
      return "real";
    case "decimal":
      return declareDecimal(name, type);
    default:
      return "text";
  }
}

export function columnType({ type }: FieldModel, declared: string): ColumnType {
  switch (type.kind) {
    case "integer":
    case "number":
      return asNumber;
    case "bigint":
      return asInt64;
    case "decimal":
      return decimalColumn(type, declared);
    case "boolean":
      return { encode: Number, decode: (raw) => Number(raw) === 1 };
    case "datetime":
      return { encode: (value) => `${sixDigits(value as string)}Z`, decode: momentFrom };
    case "date":
      return asDate;
    default:
      return isJson(type) ? asJson : asText;
  }
}

const [MIN_INTEGER, MAX_INTEGER] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * SQLite's integers have 64 bits. An operand outside that range is replaced by an infinity, which compares correctly
 * with all of them.
 */
const asInt64: ColumnType = {
  encode: (value) => {
    const integer = BigInt(value as string);
    return integer < MIN_INTEGER ? -Infinity : integer > MAX_INTEGER ? Infinity : integer;
  },
  decode: (raw) => String(raw),
  accepts: (value) => BigInt(value as string) >= MIN_INTEGER && BigInt(value as string) <= MAX_INTEGER,
};
