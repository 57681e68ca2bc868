/** The remaining budget of a caller after a charge. */
export interface Allowance {
  /** The kind of key that counts the caller: `principal`, `address` or `key`. */
  readonly policy: string;
  /** Points per `window` seconds. */
  readonly quota: number;
  readonly window: number;
  /** Remaining points. */
  readonly remaining: number;
  /** Whole seconds until the full quota is available again. */
  readonly reset: number;
  /** True if the operation cost more points than remained. */
  readonly isExceeded: boolean;
}
