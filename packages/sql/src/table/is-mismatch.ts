import type { WireType } from "@bifocal/core/store";
import type { DialectName } from "../dialect/dialect.ts";
import { NUMERIC } from "./column.ts";

const MOMENT = /^(?:date|time|interval)/;
const OTHER = /^(?:uuid|json|bytea)|\[\]$/;

/**
 * Whether no value of a column can be read as the field, such as a time as a number. Columns of SQLite can hold values of
 * any type.
 */
export function isMismatch(dialect: DialectName, kind: WireType["kind"], declared: string): boolean {
  if (dialect === "sqlite") return false;
  switch (kind) {
    case "integer":
    case "number":
      return MOMENT.test(declared) || OTHER.test(declared) || declared === "boolean";
    case "boolean":
      // MySQL has no booleans of its own.
      return MOMENT.test(declared) || OTHER.test(declared) || (dialect === "postgres" && NUMERIC.test(declared));
    case "date":
    case "datetime":
      return NUMERIC.test(declared) || OTHER.test(declared) || declared === "boolean";
    default:
      return false;
  }
}
