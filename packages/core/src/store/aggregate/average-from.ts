import type { WireType } from "../../model/wire-type.ts";
import { type Decimal, divideDecimal, parseDecimal, printDecimal } from "../../util/decimal.ts";
import type { Json } from "../../util/json.ts";

/**
 * Returns the average from the sum of a store and the number of values (docs/adr/0051). `type` is the type of the
 * average.
 */
export function averageFrom(type: WireType, sum: Json, count: number): Json {
  if (sum === null || count === 0) return null;
  if (type.kind === "decimal") {
    const exact = parseDecimal(sum as string) as Decimal;
    return printDecimal(divideDecimal(exact, BigInt(count), type.scale));
  }
  return typeof sum === "string" ? divide(BigInt(sum), count) : Number(sum) / count;
}

/** More digits than the distance between a quotient and the middle between two numbers can have. */
const DIGITS = 40;

/** Divides an integer by a count. Numbers divide correctly rounded as long as both operands are exact. */
function divide(sum: bigint, count: number): number {
  const number = Number(sum);
  if (Number.isSafeInteger(number)) return number / count;
  return Number(`${(sum * 10n ** BigInt(DIGITS)) / BigInt(count)}e-${DIGITS}`);
}
