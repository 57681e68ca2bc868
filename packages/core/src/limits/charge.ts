import { isBifocalError } from "../errors/bifocal-error.ts";
import type { Model } from "../model/model.ts";
import type { MaybePromise } from "../util/maybe-promise.ts";
import { costOf } from "./cost.ts";
import type { Limits } from "./limits.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Allowance } from "../operation/allowance.ts";
import { rateLimited, type RateLimiter } from "./rate-limiter.ts";
import type { Caller, Run } from "../operation/run.ts";

/**
 * Charges every operation before it runs, by its maximum cost, so that it costs the same in every protocol. The engine
 * rejects an operation that exceeds the cost limit on its own; it isn't charged.
 */
export function chargeOperations(run: Run, limiter: RateLimiter, model: Model, limits: Limits): Run {
  return (operation, caller, cost = costOf(operation, model)) => {
    const taking = cost > limits.query.cost ? undefined : limiter.take(caller, cost);
    return taking === undefined ? run(operation, caller, cost) : runOnceCharged(taking);

    async function runOnceCharged(taken: NonNullable<typeof taking>): Promise<Outcome> {
      try {
        await requireAllowance(caller, taken);
      } catch (thrown) {
        if (isBifocalError(thrown)) return { kind: "failure", error: thrown };
        throw thrown;
      }
      return run(operation, caller, cost);
    }
  };
}

/** Charges a caller for the additional cost of an operation, once that is known. */
export type ChargeMore = (caller: Caller, cost: number) => MaybePromise<void>;

/** Throws RATE_LIMITED if the caller doesn't have enough points. */
export function createChargeMore(limiter: RateLimiter | undefined): ChargeMore {
  return (caller, cost) => {
    const taking = cost > 0 ? limiter?.take(caller, cost) : undefined;
    return taking === undefined ? undefined : requireAllowance(caller, taking);
  };
}

async function requireAllowance(caller: Caller, taking: Promise<Allowance | undefined>): Promise<void> {
  const allowance = await taking;
  if (allowance === undefined) return;
  caller.onCharge?.(allowance);
  if (allowance.isExceeded) throw rateLimited(allowance);
}
