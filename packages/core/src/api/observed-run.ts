import { chargeOperations } from "../limits/charge.ts";
import type { Limits } from "../limits/limits.ts";
import type { Operation } from "../operation/operation.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Run } from "../operation/run.ts";
import type { Model } from "../model/model.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export interface RunParts {
  readonly model: Model;
  readonly limits: Limits;
  readonly limiter: RateLimiter | undefined;
  readonly telemetry: Telemetry | undefined;
}

/** What every operation goes through on its way to the engine, whichever style it comes from. */
export interface ObservedRun {
  /** Observers, telemetry, and what an operation is charged. */
  readonly run: Run;
  /** The charge alone. */
  readonly charge: (inner: Run) => Run;
  readonly observe: (listener: (operation: Operation) => void) => () => void;
}

export function observedRun(engine: Run, { model, limits, limiter, telemetry }: RunParts): ObservedRun {
  const observers = new Set<(operation: Operation) => void>();
  const charge = (inner: Run): Run => (limiter === undefined ? inner : chargeOperations(inner, limiter, model, limits));
  const charged = charge(engine);
  return {
    charge,
    run(operation, caller) {
      for (const observe of observers) observe(operation);
      if (telemetry === undefined) return charged(operation, caller);
      const activity = { operation, caller, timeout: limits.timeout };
      return telemetry.operation(activity, () => charged(operation, caller));
    },
    observe(listener) {
      observers.add(listener);
      return () => void observers.delete(listener);
    },
  };
}
