import type { Allowance } from "../operation/allowance.ts";

/** Maximum number of remembered callers. */
const MAX_CALLERS = 10_000;

/** The allowances of callers that had no points left at their last charge, by caller or address. */
export class ExhaustedCallers {
  /** Expiry times, in milliseconds of `performance.now()`, oldest entry first. */
  readonly #until = new Map<string, { readonly allowance: Allowance; readonly until: number }>();

  get size(): number {
    return this.#until.size;
  }

  /** Without a key, the caller can't be remembered. */
  add(key: string | undefined, allowance: Allowance): void {
    if (key === undefined) return;
    this.#until.delete(key);
    if (this.#until.size >= MAX_CALLERS) this.#until.delete(this.#until.keys().next().value as string);
    this.#until.set(key, { allowance, until: performance.now() + allowance.reset * 1_000 });
  }

  /** Returns the allowance with the seconds until its points are restored, or undefined once they are. */
  find(key: string | undefined): Allowance | undefined {
    const found = key === undefined ? undefined : this.#until.get(key);
    if (key === undefined || found === undefined) return undefined;
    const left = found.until - performance.now();
    if (left > 0) return { ...found.allowance, reset: Math.ceil(left / 1_000) };
    this.#until.delete(key);
    return undefined;
  }
}
