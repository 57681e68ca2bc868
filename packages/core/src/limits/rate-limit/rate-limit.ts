// Rate limiting by cost: `@bifocal/core/rate-limit`.
import { isSystem } from "../../definition/principal.ts";
import type { Allowance } from "../../operation/allowance.ts";
import type { RateLimiter, Spender } from "../rate-limiter.ts";
import { checkChoice, checkCallOptions, type CallOptionKinds } from "../../util/check-call.ts";
import { consoleLog, type Log } from "../../util/log.ts";
import { Counter } from "./counter.ts";
import { DEFAULT_RATE_LIMIT, describeRateLimit } from "./rate-limit-defaults.ts";
import { createShared, type RateLimitStore } from "./stores.ts";

export { DEFAULT_RATE_LIMIT };
export type { Allowance, RateLimiter, RateLimitStore, Spender };

/** Returns the key by which a caller is counted, or undefined to exempt the caller. */
export type SpenderKey = (spender: Spender) => string | undefined;

export interface RateLimitOptions {
  /** Points of a principal per `duration` seconds. Default: 6,000. */
  readonly points?: number;
  /** Points of an address, for its anonymous callers. Default: 600. */
  readonly anonymousPoints?: number;
  /** The cost (docs/limits.md) that one point pays for, rounded up. Default: 100. */
  readonly costPerPoint?: number;
  /** Length of a period in seconds, from its first operation. Default: 60. */
  readonly duration?: number;
  /**
   * Which callers share points. Default: `"principal"`, which counts each principal, and anonymous callers by address.
   */
  readonly by?: "principal" | "address" | SpenderKey;
  /** The store in which instances count together. Default: each instance counts on its own, in memory. */
  readonly store?: RateLimitStore;
  /**
   * Behavior while the shared store is unavailable: `"count"` in memory (default), `"refuse"` with UNAVAILABLE, or
   * `"allow"` all operations.
   */
  readonly whenDown?: "count" | "refuse" | "allow";
  /**
   * Number of instances that share the points. While the store is unavailable, each instance grants its share. Default:
   * 1.
   */
  readonly instances?: number;
  /** Milliseconds that an operation waits for the shared store. Default: 250. */
  readonly timeout?: number;
}

const OPTIONS: CallOptionKinds<RateLimitOptions> = {
  points: true,
  anonymousPoints: true,
  costPerPoint: true,
  duration: true,
  by: true,
  store: "an object",
  whenDown: true,
  instances: true,
  timeout: true,
};

/**
 * Limits the points that each caller can spend per period, by the cost of its operations, in all protocols. Throws a
 * `TypeError` for invalid numbers.
 *
 * @example defineApi({ resources, store, rateLimit: rateLimit({ points: 12_000, anonymousPoints: 1_200 }) });
 */
export function rateLimit(options: RateLimitOptions = {}): RateLimiter {
  checkCallOptions("rateLimit", options, OPTIONS);
  const standard = DEFAULT_RATE_LIMIT;
  const { points = standard.points, anonymousPoints = standard.anonymousPoints } = options;
  const { duration = standard.duration, costPerPoint = standard.costPerPoint } = options;
  const { instances = standard.instances, timeout = standard.timeout } = options;
  const { by = "principal", store, whenDown = "count" } = options;
  for (const [name, value] of Object.entries({
    points,
    anonymousPoints,
    costPerPoint,
    duration,
    instances,
    timeout,
  })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw new TypeError(`rateLimit: '${name}' must be a positive integer; received ${String(value)}.`);
  }
  checkChoice("rateLimit", "whenDown", whenDown, ["count", "refuse", "allow"]);
  if (typeof by !== "function") checkChoice("rateLimit", "by", by, ["principal", "address"], "a function");
  let log: Log = consoleLog;
  const counter = (policy: string, quota: number): Counter => {
    const shared = store && createShared(store, { keyPrefix: `bifocal:${policy}`, points: quota, duration });
    const warn = (cause: unknown): void => log.warn("The rate limit store is unavailable.", { cause });
    return new Counter({ policy, quota, duration, shared, whenDown, instances, timeout, warn });
  };
  const known = counter(typeof by === "function" ? "key" : "principal", points);
  const unknown = counter("address", anonymousPoints);

  return {
    summary: describeRateLimit({ points, anonymousPoints, duration }, typeof by === "function" ? "key" : by),
    open: (host) => void (log = host.log),
    take(spender, cost) {
      const { principal, address } = spender;
      if (principal !== null && isSystem(principal)) return undefined;
      const price = Math.ceil(cost / costPerPoint);
      if (typeof by === "function") {
        const key = by(spender);
        return key === undefined ? undefined : known.take([key], price);
      }
      if (by === "principal" && principal !== null) {
        return known.take([principal.id, principal.claims?.["iss"] ?? null], price);
      }
      // An anonymous call within the process has no address.
      return address === undefined ? undefined : unknown.take([address], price);
    },
    close: () => store?.close?.(),
  };
}
