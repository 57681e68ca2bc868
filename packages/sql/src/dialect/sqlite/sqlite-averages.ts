import { averageFrom, type Decimal, parseDecimal, printDecimal, type WireType } from "@bifocal/core/store";
import { sql } from "kysely";
import type { Column } from "../../table/column.ts";
import { type Average, averageDecoder, type ComparedColumn } from "../averages.ts";
import type { Sql } from "../dialect.ts";
import { halves, UNIT } from "./sqlite-halves.ts";
import { scaleOf } from "./sqlite-decimals.ts";

type DecimalType = Extract<WireType, { readonly kind: "decimal" }>;

/** `sum` is the sum as exact text, with its decoder. */
export function average({ field, declared }: Column, value: Sql, type: WireType, sum: Average["read"]): Average {
  const isDecimal = type.kind === "decimal";
  const scale = isDecimal ? scaleOf(declared) : 0;
  if (field.type.kind === "number" || scale === undefined) return floatingAverage(value, type);
  const read: Average["read"] = {
    value: sql`${sum.value} || '/' || count(${value})`,
    readable: (one) => one,
    decode(raw) {
      const [total, count] = String(raw).split("/");
      return averageFrom(type, sum.decode(total), Number(count));
    },
  };
  return { compared: { parts: halves(value), value: isDecimal ? decimalAverage(type, scale) : NEAREST_DOUBLE }, read };
}

/** Existing columns for decimals contain floating-point numbers, too. */
function floatingAverage(value: Sql, type: WireType): Average {
  const compared = sql`sum(${value}) * 1.0 / count(${value})`;
  const decode = averageDecoder(type);
  const read = { value: compared, readable: (one: Sql) => one, decode };
  return {
    compared: { value: type.kind === "decimal" ? sql`round(${compared}, ${sql.lit(type.scale)})` : compared },
    read,
  };
}

// Divides a sum of halves by the number of values. The quotient is rounded down, and the remainder isn't negative.
const REST_HIGH = sql`(h % n + n * (h % n < 0))`;
const FLOOR = sql`((h / n - (h % n < 0)) * ${UNIT} + (${REST_HIGH} * ${UNIT} + l) / n)`;
const REST = sql`((${REST_HIGH} * ${UNIT} + l) % n)`;

/**
 * Sums that doubles represent are divided as doubles. Other quotients consist of the integer part and the remainder, of
 * which only whether it is 0 matters if the integer part has all digits of a double.
 */
const NEAREST_DOUBLE = sql`case
  when h >= -2097152 and h < 2097152 then cast(h * ${UNIT} + l as real) / n
  when abs(${FLOOR} / 2) < 4503599627370496 then ${FLOOR} + cast(${REST} as real) / n
  when abs(${FLOOR} / 2) < 2305843009213693952 then cast(${FLOOR} * 2 | (${REST} <> 0) as real) / 2.0
  else cast(${FLOOR} | (${REST} <> 0) as real)
end`;

const MAX_INTEGER = 2n ** 63n - 1n;
const INTEGER_DIGITS = 19;

/**
 * An average of decimals can have more digits than 64 bits hold. It is compared as a text: a digit that is 0 below zero
 * and 1 from zero, the integer part, and the further digits. The integer part and these digits count up from the least
 * value, so that texts have the order of their numbers. Scaled integers have the integer part in units of their last digit.
 */
function decimalAverage(type: DecimalType, scale: number): Sql {
  const digits = digitsAfter(type, scale);
  const units = sql.raw(String(10n ** BigInt(digits)));
  // Halves are rounded away from zero.
  const rounded = sql`((2 * ${REST} * ${units} + n - (h < 0)) / (2 * n))`;
  const whole = sql`(${FLOOR} + ${rounded} / ${units})`;
  const last = digits === 0 ? sql`''` : sql`printf(${sql.lit(`%0${digits}d`)}, ${rounded} % ${units})`;
  const pattern = sql.lit(`%0${INTEGER_DIGITS}d`);
  return sql`case when n > 0 then case
    when ${whole} < 0 then '0' || printf(${pattern}, ${whole} + ${sql.raw(String(MAX_INTEGER))} + 1)
    else '1' || printf(${pattern}, ${whole})
  end || ${last} end`;
}

/** Returns the column as which an average is compared; `undefined` if it is a number. */
export function averageAs({ declared }: Column, type: WireType): ComparedColumn | undefined {
  if (type.kind !== "decimal") return undefined;
  const scale = scaleOf(declared);
  if (scale === undefined) {
    return { type: FLOATING, declared: "real", encode: Number, decode: averageDecoder(type) };
  }
  const digits = digitsAfter(type, scale);
  return {
    type,
    declared: "text",
    encode: (decimal) => textOf(decimal as string, type.scale, digits),
    decode: (raw) => decimalOf(String(raw), type.scale, digits),
  };
}

const FLOATING: WireType = { kind: "number", nullable: true };

/** The number of digits that an average has in addition to those of a scaled integer. */
function digitsAfter({ scale }: DecimalType, own: number): number {
  return Math.max(scale - own, 0);
}

function textOf(decimal: string, scale: number, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const value = parseDecimal(decimal) as Decimal;
  const all = value.digits * 10n ** BigInt(scale - value.scale);
  const last = ((all % unit) + unit) % unit;
  const whole = (all - last) / unit;
  if (whole > MAX_INTEGER) return "2";
  if (whole < -MAX_INTEGER - 1n) return "";
  const counted = whole < 0n ? whole + MAX_INTEGER + 1n : whole;
  const end = digits === 0 ? "" : String(last).padStart(digits, "0");
  return `${whole < 0n ? 0 : 1}${String(counted).padStart(INTEGER_DIGITS, "0")}${end}`;
}

function decimalOf(text: string, scale: number, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const counted = BigInt(text.slice(1, 1 + INTEGER_DIGITS));
  const whole = text.startsWith("0") ? counted - MAX_INTEGER - 1n : counted;
  return printDecimal({ digits: whole * unit + BigInt(text.slice(1 + INTEGER_DIGITS) || "0"), scale });
}
