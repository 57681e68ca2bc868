import { BifocalError } from "../errors/bifocal-error.ts";
import type { Log } from "../util/log.ts";
import type { Allowance } from "../operation/allowance.ts";
import type { Caller } from "../operation/run.ts";

/** The properties of a caller that a limiter uses. */
export type Spender = Pick<Caller, "principal" | "address">;

/** Counts the points that callers spend: `rateLimit()` of `@bifocal/core/rate-limit`. */
export interface RateLimiter {
  /** One sentence about the quotas, which is logged when an adapter mounts the API. Default: nothing is logged. */
  readonly summary?: string;
  /** Called once, before anything else. */
  open?(host: { readonly log: Log }): void;
  /**
   * Charges a caller. Returns undefined if the caller is not limited. Rejects with UNAVAILABLE if the count is
   * unavailable.
   */
  take(spender: Spender, cost: number): Promise<Allowance | undefined> | undefined;
  close?(): void;
}

/** Creates a RATE_LIMITED error with the time to retry (RFC 6585 §4). */
export function rateLimited({ reset }: Allowance): BifocalError {
  const message = `Rate limit exceeded. Try again in ${reset} ${reset === 1 ? "second" : "seconds"}.`;
  return new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": String(reset) } });
}
