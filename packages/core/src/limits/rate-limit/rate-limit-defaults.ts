/** The default quotas of `rateLimit()`. In production they apply without it. */
export const DEFAULT_RATE_LIMIT = {
  points: 6_000,
  anonymousPoints: 600,
  costPerPoint: 100,
  duration: 60,
  instances: 1,
  timeout: 250,
} as const;

/** Describes the quotas for the log, such as `600 points per address in 60 seconds`. */
export function describeRateLimit(
  { points, anonymousPoints, duration }: Readonly<Record<"points" | "anonymousPoints" | "duration", number>>,
  by: "principal" | "address" | "key" = "principal",
): string {
  const quotas = {
    principal: `${points} points per principal and ${anonymousPoints} points per address for anonymous callers`,
    address: `${anonymousPoints} points per address`,
    key: `${points} points per key`,
  };
  return `Rate limit: ${quotas[by]}, in ${duration} seconds.`;
}
