import type { BifocalError } from "../errors/bifocal-error.ts";
import { callerKey } from "../operation/caller-key.ts";
import { MALFORMED_COST } from "../limits/cost.ts";
import type { Allowance } from "../operation/allowance.ts";
import { rateLimited, type RateLimiter } from "../limits/rate-limiter.ts";
import type { Caller } from "../operation/run.ts";
import type { Log } from "../util/log.ts";

/** Maximum number of remembered callers. */
const MAX_CALLERS = 10_000;

/**
 * Charges callers for requests that are parsed but run no operation, because they are malformed or exceed a limit. A
 * caller without points is rejected before its next request is parsed.
 */
export class MalformedRequests {
  readonly #limiter: RateLimiter | undefined;
  readonly #log: Log;
  /** Expiry times, in milliseconds of `performance.now()`, oldest entry first. */
  readonly #exhausted = new Map<string, { readonly allowance: Allowance; readonly until: number }>();

  constructor(limiter: RateLimiter | undefined, log: Log) {
    this.#limiter = limiter;
    this.#log = log;
  }

  /** Returns a RATE_LIMITED error for a caller that had no points left at its last charge. */
  refusal(caller: Pick<Caller, "principal" | "address" | "onCharge">): BifocalError | undefined {
    if (this.#exhausted.size === 0) return undefined;
    const key = callerKey(caller);
    const found = key === undefined ? undefined : this.#exhausted.get(key);
    if (key === undefined || found === undefined) return undefined;
    const left = found.until - performance.now();
    if (left <= 0) {
      this.#exhausted.delete(key);
      return undefined;
    }
    const allowance = { ...found.allowance, reset: Math.ceil(left / 1_000) };
    caller.onCharge?.(allowance);
    return rateLimited(allowance);
  }

  /** Never rejects, because the response has to report the problem in the request in any case. */
  async charge(caller: Pick<Caller, "principal" | "address" | "onCharge">): Promise<void> {
    try {
      const allowance = await this.#limiter?.take(caller, MALFORMED_COST);
      if (allowance === undefined) return;
      caller.onCharge?.(allowance);
      if (allowance.isExceeded) this.#remember(callerKey(caller), allowance);
    } catch (cause) {
      this.#log.warn("Counting a malformed request for the rate limit failed.", { cause });
    }
  }

  #remember(key: string | undefined, allowance: Allowance): void {
    if (key === undefined) return;
    this.#exhausted.delete(key);
    if (this.#exhausted.size >= MAX_CALLERS) this.#exhausted.delete(this.#exhausted.keys().next().value as string);
    this.#exhausted.set(key, { allowance, until: performance.now() + allowance.reset * 1_000 });
  }
}
