import { compareMoments } from "../model/canonical-moment.ts";
import type { WireType } from "../model/wire-type.ts";
import { compareDecimals, isComparedAsDecimal } from "./decimal-fields.ts";
import { canonicalJson } from "../util/canonical-json.ts";
import type { Json } from "../util/json.ts";

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

/** Whether two values of a type are equal. Datetimes with different offsets can be equal. */
export function equalValues(type: WireType, a: Json, b: Json): boolean {
  if (a === b) return true;
  if (type.kind === "datetime" || type.kind === "bigint" || isComparedAsDecimal(type))
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
