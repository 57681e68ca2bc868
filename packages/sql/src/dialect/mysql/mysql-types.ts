import type { FieldModel } from "@bifocal/core/store";
import { type ColumnType, isJson } from "../../table/column.ts";
import { asDecimal } from "../decimals.ts";
import { asDate, asJson, asMoment, asNumber, asText, sixDigits } from "../values.ts";

/**
 * Returns the type of a new column. Text that an index must cover completely has a maximum length. JSON is stored as
 * text to keep the order of members.
 */
export function declare({ type }: FieldModel, isKeyed: boolean, collation: string): string {
  const exact = `character set utf8mb4 collate ${collation}`;
  switch (type.kind) {
    case "uuid":
      return `char(36) ${exact}`;
    case "integer":
      return type.wide === true ? "bigint" : "int";
    case "number":
      return "double";
    case "bigint":
      return "decimal(65,0)";
    case "decimal":
      return `decimal(${type.precision},${type.scale})`;
    case "boolean":
      return "tinyint(1)";
    case "date":
      return "date";
    case "datetime":
      return "datetime(6)";
    default:
      if (isJson(type)) return "longtext character set utf8mb4 collate utf8mb4_bin";
      return isKeyed ? `varchar(255) ${exact}` : `longtext ${exact}`;
  }
}

export function columnType({ type }: FieldModel, declared: string): ColumnType {
  switch (type.kind) {
    case "integer":
    case "number":
      return asNumber;
    case "decimal":
      return asDecimal(type, declared);
    case "boolean":
      return { encode: Number, decode: (raw) => Number(raw) === 1 };
    case "datetime":
      return { ...asMoment, encode: (value) => sixDigits(value as string).replace("T", " ") };
    case "date":
      return asDate;
    default:
      return isJson(type) ? asJson : asText;
  }
}
