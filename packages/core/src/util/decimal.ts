/** An exact number: `digits / 10 ** scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** The number of digits of a decimal, and how many of them follow the point. */
export interface DecimalFormat {
  readonly precision: number;
  readonly scale: number;
}

/** An optional sign, digits, a fraction and an exponent, as databases read and write decimals. */
const NUMBER = /^([+-]?)(\d{1,1000})(?:\.(\d{0,1000}))?(?:[eE]([+-]?\d{1,4}))?$/;
const PLAIN = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?$/;

export function isDecimal(text: string): boolean {
  return NUMBER.test(text);
}

/** Parses a number of any precision. Returns undefined if the text isn't a number. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === "-" ? -digits : digits, scale: fraction.length - Number(exponent) };
}

/** Compares two texts as numbers of any precision. Returns undefined if one of them isn't a number. */
export function compareDecimals(a: string, b: string): number | undefined {
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  if (x === undefined || y === undefined) return undefined;
  const { digits } = addDecimals(x, { ...y, digits: -y.digits });
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) + atScale(b, scale), scale };
}

/** Divides by an integer other than 0, and rounds half away from zero, as databases do. */
export function divideDecimal({ digits, scale }: Decimal, divisor: bigint, resultScale: number): Decimal {
  const shift = resultScale - scale;
  const [dividend, by] =
    shift < 0 ? [digits, divisor * 10n ** BigInt(-shift)] : [digits * 10n ** BigInt(shift), divisor];
  const [top, bottom] = [dividend < 0n ? -dividend : dividend, by < 0n ? -by : by];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return { digits: dividend < 0n === by < 0n ? rounded : -rounded, scale: resultScale };
}

/** Prints a number with a fixed number of digits after the point. Further digits are rounded half away from zero. */
export function printDecimal(value: Decimal, scale = Math.max(value.scale, 0)): string {
  const { digits } = value.scale === scale ? value : divideDecimal(value, 1n, scale);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const point = text.length - scale;
  return `${digits < 0n ? "-" : ""}${text.slice(0, point)}${scale === 0 ? "" : `.${text.slice(point)}`}`;
}

/**
 * Returns the one text by which a number in a format is stored: without leading zeros, and always with all digits after
 * the point. Returns undefined for a text that isn't a number or has too many digits.
 */
export function canonicalDecimal(text: string, { precision, scale }: DecimalFormat): string | undefined {
  const [, sign, whole, fraction = ""] = PLAIN.exec(text) ?? [];
  if (whole === undefined || fraction.length > scale || whole.length > Math.max(precision - scale, 1)) return undefined;
  if (precision === scale && whole !== "0") return undefined;
  const digits = whole.replace(/^0+(?=\d)/, "");
  const number = scale === 0 ? digits : `${digits}.${fraction.padEnd(scale, "0")}`;
  return sign === "-" && /[1-9]/.test(number) ? `-${number}` : number;
}

/** Returns the regular expression for the texts that `canonicalDecimal` accepts. */
export function decimalPattern({ precision, scale }: DecimalFormat): string {
  const whole = precision === scale ? "0" : `\\d{1,${precision - scale}}`;
  return `^-?${whole}${scale === 0 ? "" : `(\\.\\d{1,${scale}})?`}$`;
}

/** Describes the texts that `canonicalDecimal` accepts. The text completes "expected …". */
export function describeDecimal({ precision, scale }: DecimalFormat): string {
  const before = precision - scale;
  const example = `${"12345".slice(0, Math.min(before, 2)) || "0"}${scale === 0 ? "" : `.${"5".padEnd(scale, "0")}`}`;
  const limits = [
    ...(before === 0 ? [] : [`${before} ${digitWord(before)} before the point`]),
    scale === 0 ? "none after it" : `${scale} ${before === 0 ? `${digitWord(scale)} after the point` : "after it"}`,
  ];
  return `a decimal as a string, such as "${example}", with at most ${limits.join(" and ")}`;
}

function digitWord(count: number): string {
  return count === 1 ? "digit" : "digits";
}

function atScale({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}
