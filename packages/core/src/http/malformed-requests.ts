import type { BifocalError } from "../errors/bifocal-error.ts";
import { callerKey } from "../operation/caller-key.ts";
import { MALFORMED_COST } from "../limits/cost.ts";
import { rateLimited, type RateLimiter } from "../limits/rate-limiter.ts";
import type { Caller } from "../operation/run.ts";
import type { Log } from "../util/log.ts";
import { ExhaustedCallers } from "./exhausted-callers.ts";

/**
 * Charges callers for requests that are parsed but run no operation, because they are malformed or exceed a limit. A
 * caller without points is rejected before its next request is parsed.
 */
export class MalformedRequests {
  readonly #limiter: RateLimiter;
  readonly #log: Log;
  readonly #exhausted = new ExhaustedCallers();

  constructor(limiter: RateLimiter, log: Log) {
    this.#limiter = limiter;
    this.#log = log;
  }

  /** Returns a RATE_LIMITED error for a caller that had no points left at its last charge. */
  refusal(caller: Pick<Caller, "principal" | "address" | "onCharge">): BifocalError | undefined {
    if (this.#exhausted.size === 0) return undefined;
    const allowance = this.#exhausted.find(callerKey(caller));
    if (allowance === undefined) return undefined;
    caller.onCharge?.(allowance);
    return rateLimited(allowance);
  }

  /** Never rejects, because the response has to report the problem in the request in any case. */
  async charge(caller: Pick<Caller, "principal" | "address" | "onCharge">): Promise<void> {
    try {
      const allowance = await this.#limiter.take(caller, MALFORMED_COST);
      if (allowance === undefined) return;
      caller.onCharge?.(allowance);
      if (allowance.isExceeded) this.#exhausted.add(callerKey(caller), allowance);
    } catch (cause) {
      this.#log.warn("Counting a malformed request for the rate limit failed.", { cause });
    }
  }
}
