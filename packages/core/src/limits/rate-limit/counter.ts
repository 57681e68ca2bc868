import RateLimiterMemory from "rate-limiter-flexible/lib/RateLimiterMemory.js";
import RateLimiterRes from "rate-limiter-flexible/lib/RateLimiterRes.js";
import { createHash } from "../../runtime/crypto.ts";
import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Allowance } from "../../operation/allowance.ts";
import { BoundedKeys } from "./bounded-keys.ts";
import type { SharedCounter } from "./stores.ts";

export interface CounterOptions {
  readonly policy: string;
  readonly quota: number;
  /** In seconds. */
  readonly duration: number;
  readonly shared: SharedCounter | undefined;
  readonly whenDown: "count" | "refuse" | "allow";
  readonly instances: number;
  /** In milliseconds. */
  readonly timeout: number;
  /** Called once each time the shared counter becomes unavailable. */
  readonly warn: (cause: unknown) => void;
}

/** Milliseconds for which a failed shared counter is not used. */
const PAUSE = 1_000;

type Consumer = Pick<RateLimiterMemory, "consume" | "points">;

/** Counts points under one policy: in the shared store, or in memory while the store is unavailable. */
export class Counter {
  readonly #options: CounterOptions;
  readonly #local: RateLimiterMemory;
  readonly #keys: BoundedKeys;
  #awayUntil = 0;
  #isAway = false;

  constructor(options: CounterOptions) {
    this.#options = options;
    const { policy, quota, duration, shared, instances } = options;
    const points = shared === undefined ? quota : Math.max(1, Math.floor(quota / instances));
    this.#local = new RateLimiterMemory({ keyPrefix: policy, points, duration });
    this.#keys = new BoundedKeys(duration);
  }

  async take(parts: readonly unknown[], cost: number): Promise<Allowance | undefined> {
    // A digest hides names from the shared store and has a fixed length.
    const key = createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
    const { shared, whenDown } = this.#options;
    if (shared === undefined) return this.#takeHere(key, cost);
    if (performance.now() >= this.#awayUntil) {
      try {
        const consuming = shared.limiter().then((limiter) => this.#consume(limiter, key, cost));
        const allowance = await within(this.#options.timeout, consuming);
        this.#isAway = false;
        return allowance;
      } catch (thrown) {
        this.#lose(thrown);
      }
    }
    if (whenDown === "allow") return undefined;
    if (whenDown === "count") return this.#takeHere(key, cost);
    const headers = { "Retry-After": "5" };
    throw new BifocalError("UNAVAILABLE", "The rate limit can't be checked right now. Try again in a few seconds.", {
      headers,
    });
  }

  #takeHere(key: string, cost: number): Promise<Allowance> {
    return this.#consume(this.#local, this.#keys.fold(key), cost);
  }

  #lose(cause: unknown): void {
    this.#awayUntil = performance.now() + PAUSE;
    if (!this.#isAway) this.#options.warn(cause);
    this.#isAway = true;
  }

  /** Throws if the counter is unavailable. A cost above the quota takes all points. */
  async #consume(limiter: Consumer, key: string, cost: number): Promise<Allowance> {
    try {
      return this.#allowance(limiter, await limiter.consume(key, Math.min(cost, limiter.points)), false);
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return this.#allowance(limiter, thrown, true);
      throw thrown;
    }
  }

  #allowance({ points }: Consumer, { remainingPoints, msBeforeNext }: RateLimiterRes, isExceeded: boolean): Allowance {
    const { policy, duration } = this.#options;
    const reset = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    return { policy, quota: points, window: duration, remaining: remainingPoints, reset, isExceeded };
  }
}

/** Rejects if the work takes too long. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No response within ${milliseconds} milliseconds.`)), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
