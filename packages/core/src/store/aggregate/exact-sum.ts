import { printDecimal } from "../../util/decimal.ts";

/**
 * Returns the correctly rounded sum of finite numbers, whatever their order. The partial sums don't overlap (Shewchuk,
 * "Adaptive Precision Floating-Point Arithmetic", 1997).
 */
export class NumberSum {
  readonly #partials: number[] = [];

  add(value: number): void {
    const partials = this.#partials;
    let x = value;
    let kept = 0;
    for (const partial of partials) {
      const isLess = Math.abs(x) < Math.abs(partial);
      const large = isLess ? partial : x;
      const small = isLess ? x : partial;
      const high = large + small;
      const low = small - (high - large);
      if (low !== 0) partials[kept++] = low;
      x = high;
    }
    partials.length = kept;
    partials.push(x);
  }

  total(): number {
    const partials = [...this.#partials];
    let high = partials.pop() ?? 0;
    let low = 0;
    while (partials.length > 0 && low === 0) {
      const x = high;
      const y = partials.pop() as number;
      high = x + y;
      low = y - (high - x);
    }
    // A tie is rounded to the side of the remaining partial sums.
    const next = partials.at(-1);
    if (next === undefined || low * next <= 0) return high;
    const doubled = low * 2;
    const rounded = high + doubled;
    return doubled === rounded - high ? rounded : high;
  }
}

/** The exact sum of decimals in stored form, which all have the same number of digits after the point. */
export class DecimalSum {
  readonly #scale: number;
  #digits = 0n;

  constructor(scale: number) {
    this.#scale = scale;
  }

  add(value: string): void {
    this.#digits += BigInt(value.replace(".", ""));
  }

  total(): string {
    return printDecimal({ digits: this.#digits, scale: this.#scale });
  }
}

/** The exact sum of integers. It leaves the range of numbers only if it has to, because `bigint` is slower. */
export class IntegerSum {
  #small = 0;
  #large = 0n;

  add(value: number | string): void {
    if (typeof value === "string") {
      this.#large += BigInt(value);
      return;
    }
    const sum = this.#small + value;
    if (Number.isSafeInteger(sum)) {
      this.#small = sum;
      return;
    }
    this.#large += BigInt(this.#small) + BigInt(value);
    this.#small = 0;
  }

  total(): string {
    return String(this.#large + BigInt(this.#small));
  }
}
