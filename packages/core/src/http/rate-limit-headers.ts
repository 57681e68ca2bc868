import type { Allowance } from "../operation/allowance.ts";

/**
 * Creates the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11), which are lists of
 * structured fields (RFC 9651), and `Retry-After` if the limit was exceeded.
 */
export function rateLimitHeaders(allowance: Allowance): Readonly<Record<string, string>> {
  const { policy, quota, window, remaining, reset, isExceeded } = allowance;
  return {
    "RateLimit-Policy": `"${policy}";q=${quota};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
    ...(isExceeded ? { "Retry-After": String(reset) } : {}),
  };
}
