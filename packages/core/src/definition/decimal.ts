import { z } from "zod";
import { checkCallOptions } from "../util/check-call.ts";
import {
  canonicalDecimal,
  compareDecimals,
  type DecimalFormat,
  decimalPattern,
  describeDecimal,
} from "../util/decimal.ts";

export interface DecimalOptions {
  /** Maximum number of digits, before and after the point: 1 to 65. */
  readonly precision: number;
  /** Maximum number of digits after the point: 0 to 30, and at most `precision`. */
  readonly scale: number;
  /** The least value, included. */
  readonly min?: string;
  /** The greatest value, included. */
  readonly max?: string;
}

/** The schema of a decimal. Its values are strings. */
export interface DecimalSchema extends z.ZodType<string, string> {}

/** The limits of `numeric` that PostgreSQL, MySQL and MariaDB share. */
const MAX_PRECISION = 65;
const MAX_SCALE = 30;

/**
 * Creates the schema of an exact number, such as an amount of money. On the wire and in code, it is a string with
 * `scale` digits after the point; stores order it as a number.
 */
export function decimal(options: DecimalOptions): DecimalSchema {
  checkCallOptions("decimal", options, { precision: true, scale: true, min: "a string", max: "a string" });
  const { precision, scale, min, max } = options;
  const format = { precision, scale };
  checkFormat(format);
  const [least, most] = [checkBound(format, "min", min), checkBound(format, "max", max)];
  const message = `Expected ${describeDecimal(format)}.`;
  return z
    .string({ error: message })
    .regex(new RegExp(decimalPattern(format)), { error: message, abort: true })
    .refine((text) => isBetween(text, least, most), { error: rangeText(least, most), params: { [KEY]: format } });
}

/** Marks the check that every copy of the schema keeps. */
const KEY = "~bifocal.decimal";

/** Returns the format of a schema that `decimal()` created. */
export function decimalFormatOf(schema: z.core.$ZodType): DecimalFormat | undefined {
  for (const { _zod } of schema._zod.def.checks ?? []) {
    const { params } = _zod.def as { readonly params?: Readonly<Record<string, unknown>> };
    const format = params?.[KEY];
    if (format !== undefined) return format as DecimalFormat;
  }
  return undefined;
}

function checkFormat({ precision, scale }: DecimalFormat): void {
  if (!isWithin(precision, 1, MAX_PRECISION))
    throw new TypeError(`'precision' of a decimal must be an integer between 1 and ${MAX_PRECISION}.`);
  const most = Math.min(MAX_SCALE, precision);
  if (!isWithin(scale, 0, most))
    throw new TypeError(
      `'scale' of a decimal must be an integer between 0 and ${most}, because 'precision' is ${precision}.`,
    );
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

function checkBound(format: DecimalFormat, name: "min" | "max", bound: unknown): string | undefined {
  if (bound === undefined) return undefined;
  const canonical = typeof bound === "string" ? canonicalDecimal(bound, format) : undefined;
  if (canonical === undefined) throw new TypeError(`'${name}' of a decimal must be ${describeDecimal(format)}.`);
  return canonical;
}

function isBetween(text: string, least: string | undefined, most: string | undefined): boolean {
  if (least !== undefined && (compareDecimals(text, least) ?? 0) < 0) return false;
  return most === undefined || (compareDecimals(text, most) ?? 0) <= 0;
}

function rangeText(least: string | undefined, most: string | undefined): string {
  if (least !== undefined && most !== undefined) return `Expected a decimal between ${least} and ${most}.`;
  return least === undefined
    ? `Expected a decimal of at most ${most ?? ""}.`
    : `Expected a decimal of at least ${least}.`;
}
