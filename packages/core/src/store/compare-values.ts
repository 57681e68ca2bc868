import { compareMoments } from "../model/canonical-moment.ts";
import type { WireType } from "../model/wire-type.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import { compareDecimals } from "../util/decimal.ts";
import type { Json } from "../util/json.ts";
import { isComparedAsDecimal } from "./decimal-fields.ts";

/**
 * Compares two non-null values of a type. Returns a number below, equal to or above 0, as for `Array.prototype.sort`.
 */
export function compareValues(type: WireType, a: Json, b: Json): number {
  switch (type.kind) {
    case "integer":
    case "number":
    case "boolean":
      return Number(a) - Number(b);
    case "bigint": {
      const [x, y] = [BigInt(a as string), BigInt(b as string)];
      return x < y ? -1 : x > y ? 1 : 0;
    }
    case "decimal":
      return compareDecimalValues(a as string, b as string);
    case "datetime":
      return compareMoments(a as string, b as string);
    case "list":
    case "object":
    case "json":
      return compareText(canonicalJson(a), canonicalJson(b));
    case "string":
      return compareStrings(type, a as string, b as string);
    default:
      return compareText(a as string, b as string);
  }
}

function compareStrings(type: WireType, a: string, b: string): number {
  return (isComparedAsDecimal(type) ? compareDecimals(a, b) : undefined) ?? compareText(a, b);
}

/** Values in stored form have the same number of digits after the point, so that longer texts are larger numbers. */
function compareDecimalValues(a: string, b: string): number {
  if (a === b) return 0;
  // Only a column of a database or a function of the application can return another form.
  if (fractionOf(a) !== fractionOf(b)) return compareDecimals(a, b) ?? compareText(a, b);
  const isNegative = a.startsWith("-");
  if (isNegative !== b.startsWith("-")) return isNegative ? -1 : 1;
  const order = a.length - b.length || (a < b ? -1 : 1);
  return isNegative ? -order : order;
}

/** Returns the number of characters from the point on. */
function fractionOf(text: string): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point;
}

/** Whether two values of a type are equal. Datetimes with different offsets can be equal. */
export function equalValues(type: WireType, a: Json, b: Json): boolean {
  if (a === b) return true;
  if (type.kind === "datetime" || type.kind === "bigint" || type.kind === "decimal" || isComparedAsDecimal(type))
    return compareValues(type, a, b) === 0;
  return typeof a === "object" && typeof b === "object" && canonicalJson(a) === canonicalJson(b);
}

/**
 * Compares by Unicode code point, like UTF-8 and `COLLATE "C"`. JavaScript compares UTF-16 units, which places
 * characters beyond the first plane before U+E000.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (x === y) continue;
    return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates after the rest of the first plane. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
