import { isBifocalError } from "../errors/bifocal-error.ts";
import type { Model } from "../model/model.ts";
import { costOf } from "./cost.ts";
import type { Limits } from "./limits.ts";
import type { Outcome } from "./outcome.ts";
import { rateLimited, type RateLimiter } from "./rate-limiter.ts";
import type { Run } from "./run.ts";

/**
 * Lets every operation be paid for before it runs, by what it can cost: so the same operation costs its caller the same,
 * however it came. What costs too much on its own is for the engine to refuse, and is not paid for.
 */
export function chargeOperations(run: Run, limiter: RateLimiter, model: Model, limits: Limits): Run {
  return (operation, caller) => {
    const cost = costOf(operation, model);
    const taking = cost > limits.cost ? undefined : limiter.take(caller, cost);
    return taking === undefined ? run(operation, caller) : runOnceCharged(taking);

    async function runOnceCharged(taken: NonNullable<typeof taking>): Promise<Outcome> {
      try {
        const allowance = await taken;
        if (allowance !== undefined) {
          caller.onCharge?.(allowance);
          if (allowance.isExceeded) return { kind: "failure", error: rateLimited(allowance) };
        }
      } catch (thrown) {
        if (isBifocalError(thrown)) return { kind: "failure", error: thrown };
        throw thrown;
      }
      return run(operation, caller);
    }
  };
}
