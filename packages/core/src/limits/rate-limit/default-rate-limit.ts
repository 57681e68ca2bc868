import type { RateLimiter } from "../rate-limiter.ts";
import { isProduction } from "../../util/is-production.ts";

/** The limiter of an API: the one that was given, none for `false`, and where nothing is said `rateLimit()` in production. */
export function rateLimiterOf(given: RateLimiter | false | undefined): RateLimiter | undefined {
  if (given === false) return undefined;
  return given ?? (isProduction() ? defaultRateLimit() : undefined);
}

/** Loaded where it is needed: development starts without it. */
function defaultRateLimit(): RateLimiter {
  const loading = import("./rate-limit.ts").then(({ rateLimit }) => rateLimit());
  // Whoever asks first hears of it.
  loading.catch(() => {});
  return {
    take: async (spender, cost) => (await loading).take(spender, cost),
  };
}
