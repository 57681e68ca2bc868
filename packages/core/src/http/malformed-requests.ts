import type { BifocalError } from "../errors/bifocal-error.ts";
import { callerKey } from "../operation/caller-key.ts";
import { MALFORMED_COST } from "../limits/cost.ts";
import type { Allowance } from "../operation/allowance.ts";
import { rateLimited, type RateLimiter } from "../limits/rate-limiter.ts";
import type { Caller } from "../operation/run.ts";
import type { Log } from "../util/log.ts";

/** Callers that are remembered as having nothing left. */
const MOST = 10_000;

/**
 * Charges callers for requests that are parsed and then run no operation, because they are malformed or exceed a limit.
 * A caller with nothing left is refused before its next request is parsed.
 */
export class MalformedRequests {
  readonly #limiter: RateLimiter | undefined;
  readonly #log: Log;
  /** Until when, in milliseconds of `performance.now()`; the oldest entry first. */
  readonly #exhausted = new Map<string, { readonly allowance: Allowance; readonly until: number }>();

  constructor(limiter: RateLimiter | undefined, log: Log) {
    this.#limiter = limiter;
    this.#log = log;
  }

  /** Returns RATE_LIMITED for a caller that had nothing left when it was charged last. */
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

  /** Never rejects: the response to a malformed request says what is wrong with it in any case. */
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
    if (this.#exhausted.size >= MOST) this.#exhausted.delete(this.#exhausted.keys().next().value as string);
    this.#exhausted.set(key, { allowance, until: performance.now() + allowance.reset * 1_000 });
  }
}
