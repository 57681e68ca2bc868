import type { FieldModel } from "../model/model.ts";
import type { WireType } from "../model/wire-type.ts";

const DECIMALS = new WeakSet<WireType>();

/** An optional sign, digits, a fraction and an exponent, as databases read and write decimals. */
const DECIMAL = /^([+-]?)(\d{1,1000})(?:\.(\d{0,1000}))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Declares that a store compares a text field as a number, because its column has a numeric type. Filters that the
 * engine evaluates itself, for events and rules, then give the same results.
 */
export function compareAsDecimal({ type }: FieldModel): void {
  DECIMALS.add(type);
}

export function isComparedAsDecimal(type: WireType): boolean {
  return DECIMALS.has(type);
}

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** Compares two texts as numbers of any precision. Returns undefined if one of them isn't a number. */
export function compareDecimals(a: string, b: string): number | undefined {
  const [x, y] = [parse(a), parse(b)];
  if (x === undefined || y === undefined) return undefined;
  const scale = Math.max(x.scale, y.scale);
  const difference = x.digits * 10n ** BigInt(scale - x.scale) - y.digits * 10n ** BigInt(scale - y.scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function parse(text: string): { readonly digits: bigint; readonly scale: number } | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === "-" ? -digits : digits, scale: fraction.length - Number(exponent) };
}
