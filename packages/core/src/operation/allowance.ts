/** What a caller may still spend, after something was taken off. */
export interface Allowance {
  /** What it is counted by: `principal`, `address` or `key`. */
  readonly policy: string;
  /** Points that may be spent in `window` seconds. */
  readonly quota: number;
  readonly window: number;
  /** Points that are left. */
  readonly remaining: number;
  /** Whole seconds until all points are there again. */
  readonly reset: number;
  /** More was asked for than was left. */
  readonly isExceeded: boolean;
}
