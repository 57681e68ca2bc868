import { BifocalError } from "../errors/bifocal-error.ts";
import type { Log } from "../util/log.ts";
import type { Allowance } from "../operation/allowance.ts";
import type { Caller } from "../operation/run.ts";

/** Who spends, as far as a limiter looks at it. */
export type Spender = Pick<Caller, "principal" | "address">;

/** Counts what callers spend: `rateLimit()` of `@bifocal/core/rate-limit`. */
export interface RateLimiter {
  /** Called once, before anything else. */
  open?(host: { readonly log: Log }): void;
  /** Lets a caller pay for a cost; undefined where it is not limited. Rejects with UNAVAILABLE where that cannot be told. */
  take(spender: Spender, cost: number): Promise<Allowance | undefined> | undefined;
  close?(): void;
}

/** RATE_LIMITED, with when to try again (RFC 6585 §4). */
export function rateLimited({ reset }: Allowance): BifocalError {
  const message = `Rate limit exceeded. Try again in ${reset} ${reset === 1 ? "second" : "seconds"}.`;
  return new BifocalError("RATE_LIMITED", message, { headers: { "Retry-After": String(reset) } });
}
