import type { Json } from "@bifocal/core/store";
import { type Column, isJson, isText } from "../../table/column.ts";
import type { KeepsValue } from "../dialect.ts";
import { scaleOf } from "./sqlite-decimals.ts";

/**
 * Returns how a column keeps its values as they were sent. Undefined if its affinity may change them (SQLite,
 * "Datatypes", 3.1).
 */
export function keepsValues(column: Column): KeepsValue | undefined {
  const { field, declared, decode, encode, accepts } = column;
  const affinity = affinityOf(declared);
  // A value in another than the stored form, such as that of a generator, is read in the stored form.
  const isStoredForm = (value: Json): boolean =>
    typeof value === "string" && accepts?.(value) !== false && decode(encode(value)) === value;
  switch (field.type.kind) {
    case "integer":
      return affinity === "integer" ? Number.isSafeInteger : undefined;
    case "number":
      return affinity === "real" ? Number.isFinite : undefined;
    case "boolean":
      return affinity === "integer" ? (value) => typeof value === "boolean" : undefined;
    case "bigint":
      return affinity === "integer" ? isStoredForm : undefined;
    case "decimal":
      return scaleOf(declared) === undefined ? undefined : isStoredForm;
    case "date":
    case "datetime":
      return affinity === "text" ? isStoredForm : undefined;
    default:
      return affinity === "text" ? keepsText(column) : undefined;
  }
}

function keepsText({ field: { type, generated, codec } }: Column): KeepsValue | undefined {
  if (isText(type) || type.kind === "uuid") return (value) => typeof value === "string" && value.isWellFormed();
  // A generator or codec may return a value that JSON can't represent.
  return isJson(type) && generated === undefined && codec === undefined ? () => true : undefined;
}

function affinityOf(declared: string): "integer" | "text" | "real" | "other" {
  if (declared.includes("int")) return "integer";
  if (/char|clob|text/.test(declared)) return "text";
  return !declared.includes("blob") && /real|floa|doub/.test(declared) ? "real" : "other";
}
