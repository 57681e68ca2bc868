// Rate limiting by cost: `@bifocal/core/rate-limit`.
import { isSystem } from "../../definition/principal.ts";
import type { Allowance } from "../../operation/allowance.ts";
import type { RateLimiter, Spender } from "../rate-limiter.ts";
import { consoleLog, type Log } from "../../util/log.ts";
import { Counter } from "./counter.ts";
import { createShared, type RateLimitStore } from "./stores.ts";

export type { Allowance, RateLimiter, RateLimitStore, Spender };

/** What a caller is counted by; undefined: it is not limited. */
export type SpenderKey = (spender: Spender) => string | undefined;

export interface RateLimitOptions {
  /** What a caller may spend in `duration` seconds. Default 600. */
  readonly points?: number;
  /** The same for one address, where it is not known who calls. Default 60. */
  readonly anonymousPoints?: number;
  /** How much cost (docs/limits.md) one point pays for; what is begun is paid. Default 100. */
  readonly costPerPoint?: number;
  /** Seconds that a count lasts, from the first operation in it. Default 60. */
  readonly duration?: number;
  /** Who has points in common. Default `"principal"`: each principal, and each address where nobody is known. */
  readonly by?: "principal" | "address" | SpenderKey;
  /** Where instances count together. Default: each instance counts for itself, in memory. */
  readonly store?: RateLimitStore;
  /**
   * While the shared store is out of reach: `"count"` (default) in memory, `"refuse"` with UNAVAILABLE, or `"allow"` all.
   */
  readonly whenDown?: "count" | "refuse" | "allow";
  /** How many instances share the points: while the store is out of reach each gives its part of them. Default 1. */
  readonly instances?: number;
  /** Milliseconds that an operation waits for the shared store. Default 250. */
  readonly timeout?: number;
}

/**
 * Limits what each caller may spend in a while, by the cost of its operations, in both styles and on every transport.
 * Throws `TypeError` for numbers that are none.
 *
 * @example defineApi({ resources, store, rateLimit: rateLimit({ points: 1_200, anonymousPoints: 120 }) });
 */
export function rateLimit(options: RateLimitOptions = {}): RateLimiter {
  const { points = 600, anonymousPoints = 60, duration = 60, by = "principal", store } = options;
  const { costPerPoint = 100, whenDown = "count", instances = 1, timeout = 250 } = options;
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
  let log: Log = consoleLog;
  const counter = (policy: string, quota: number): Counter => {
    const shared = store && createShared(store, { keyPrefix: `bifocal:${policy}`, points: quota, duration });
    const warn = (cause: unknown): void => log.warn("The rate limit store is unavailable.", { cause });
    return new Counter({ policy, quota, duration, shared, whenDown, instances, timeout, warn });
  };
  const known = counter(typeof by === "function" ? "key" : "principal", points);
  const unknown = counter("address", anonymousPoints);

  return {
    open: (host) => void (log = host.log),
    take(spender, cost) {
      const { principal, address } = spender;
      if (isSystem(principal)) return undefined;
      const price = Math.ceil(cost / costPerPoint);
      if (typeof by === "function") {
        const key = by(spender);
        return key === undefined ? undefined : known.take([key], price);
      }
      if (by === "principal" && principal !== null) {
        return known.take([principal.id, principal.claims?.["iss"] ?? null], price);
      }
      // A call in process by nobody came from nowhere.
      return address === undefined ? undefined : unknown.take([address], price);
    },
    close: () => store?.close?.(),
  };
}
