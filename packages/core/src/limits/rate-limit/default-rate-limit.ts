import type { RateLimiter } from "../rate-limiter.ts";
import { DEFAULT_RATE_LIMIT, describeRateLimit } from "./rate-limit-defaults.ts";
import { isProduction } from "../../util/is-production.ts";

/** Returns the limiter of an API: the given one, none for `false`, and by default `rateLimit()` in production. */
export function rateLimiterOf(given: RateLimiter | false | undefined): RateLimiter | undefined {
  if (given === false) return undefined;
  return given ?? (isProduction() ? defaultRateLimit() : undefined);
}

/** Loaded on demand, so that development starts without it. */
function defaultRateLimit(): RateLimiter {
  const loading = import("./rate-limit.ts").then(({ rateLimit }) => rateLimit());
  // The first call of `take` reports the error.
  loading.catch(() => {});
  return {
    summary: describeRateLimit(DEFAULT_RATE_LIMIT),
    take: async (spender, cost) => (await loading).take(spender, cost),
  };
}
