import { type Decimal, type Json, parseDecimal, printDecimal, type WireType } from "@bifocal/core/store";
import type { ColumnType } from "../table/column.ts";
import { asText } from "./values.ts";

type DecimalType = Extract<WireType, { readonly kind: "decimal" }>;

/** Matches the decimal types of PostgreSQL, MySQL and MariaDB. */
const DECIMAL_TYPE = /^(?:numeric|decimal)\((\d+),(\d+)\)/;

/** Returns the conversion for a decimal in a column of a server. Columns that the store created don't need it. */
export function asDecimal(type: DecimalType, declared: string): ColumnType {
  const [, precision, scale] = DECIMAL_TYPE.exec(declared) ?? [];
  const isSame = Number(scale) === type.scale;
  const decode = isSame ? asText.decode : (raw: unknown): Json => readDecimal(type, raw);
  if (scale === undefined) return { ...asText, decode };
  if (isSame && Number(precision) >= type.precision) return asText;
  return { ...asText, decode, accepts: (value) => fits(value as string, Number(precision), Number(scale)) };
}

/** Returns the stored form. A value with more digits than the field allows keeps them. */
export function readDecimal(type: DecimalType, raw: unknown): Json {
  const value = parseDecimal(String(raw));
  return value === undefined ? String(raw) : printDecimal(value, Math.max(type.scale, lastDigit(value)));
}

/** Returns the number of digits after the point, without zeros at the end. */
function lastDigit({ digits, scale }: Decimal): number {
  let [rest, last] = [digits, scale];
  while (last > 0 && rest % 10n === 0n) [rest, last] = [rest / 10n, last - 1];
  return Math.max(last, 0);
}

function fits(text: string, precision: number, scale: number): boolean {
  const value = parseDecimal(text) as Decimal;
  const whole = text.replace(/^-?0*|\..*$/g, "");
  return lastDigit(value) <= scale && whole.length <= precision - scale;
}

/** Whether a column of one decimal type can keep the values of another with the same scale. */
export function fitsDecimal(wanted: string, found: string): boolean {
  const [one, other] = [DECIMAL_TYPE.exec(wanted), DECIMAL_TYPE.exec(found)];
  return one !== null && other !== null && one[2] === other[2] && Number(one[1]) <= Number(other[1]);
}

/** Whether a decimal type holds every value of another decimal type, or of an integer type, by its number of digits. */
export function holdsDecimal(from: string, to: string, integers: Readonly<Record<string, number>>): boolean {
  const [one, other] = [DECIMAL_TYPE.exec(from), DECIMAL_TYPE.exec(to)];
  if (other === null) return false;
  const [precision, scale] = one === null ? [integers[from], 0] : [Number(one[1]), Number(one[2])];
  if (precision === undefined) return false;
  return scale <= Number(other[2]) && precision - scale <= Number(other[1]) - Number(other[2]);
}
