import type { TypeRules } from "../../schema/table-change.ts";
import { fitsDecimal, holdsDecimal } from "../decimals.ts";

const JSON_TEXT = "longtext character set utf8mb4 collate utf8mb4_bin";

/** The MySQL types that can replace the types a store declares, and the conversions that lose no values. */
export const mysqlRules: TypeRules = {
  fits({ type }, found) {
    if (found.type === type || fitsDecimal(type, found.type)) return true;
    if (found.type === "json") return type === JSON_TEXT;
    // The author of a foreign text column chose its length, so any length fits.
    // A text field can have a decimal column that another tool created.
    if (isText(type)) return found.isForeign || /^decimal\(\d+,[1-9]/.test(found.type);
    return STAND_INS[type]?.test(found.type) ?? false;
  },
  holds(from, to) {
    if (to.startsWith("longtext") || to === from) return true;
    if (isText(to)) return isText(from) && lengthOf(from) <= lengthOf(to);
    return WIDER[from]?.includes(to) === true || holdsDecimal(from, to, DIGITS);
  },
  stopsCounting: true,
};

const STAND_INS: Readonly<Record<string, RegExp>> = {
  "decimal(65,0)": /^decimal\(\d+,0\)/,
  "datetime(6)": /^(datetime|timestamp)/,
};

/** The digits of the largest value of each integer type. */
const DIGITS: Readonly<Record<string, number>> = { smallint: 5, int: 10, bigint: 19 };

const WIDER: Readonly<Record<string, readonly string[]>> = {
  smallint: ["int", "bigint", "double", "decimal(65,0)"],
  int: ["bigint", "double", "decimal(65,0)"],
  bigint: ["decimal(65,0)"],
  float: ["double"],
  date: ["datetime(6)"],
};

function isText(type: string): boolean {
  return /^(varchar|char|longtext)/.test(type);
}

function lengthOf(type: string): number {
  return Number(/\((\d+)\)/.exec(type)?.[1] ?? Infinity);
}

/**
 * Returns the expression that converts values before their column changes its type, or `undefined` if they need no
 * conversion.
 */
export function convertMysql(column: string, from: string, to: string): string | undefined {
  const [wasJson, isJson] = [from === JSON_TEXT || from === "json", to === JSON_TEXT];
  if (wasJson === isJson) return undefined;
  return isJson ? `json_quote(${column})` : `json_unquote(${column})`;
}
