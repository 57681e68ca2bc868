import { maskError } from "../errors/mask-error.ts";
import { closed } from "../http/overload.ts";
import { chargeOperations } from "../limits/charge.ts";
import type { Limits } from "../limits/limits.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Model } from "../model/model.ts";
import type { Operation } from "../operation/operation.ts";
import type { Run } from "../operation/run.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";

export interface PipelineParts {
  readonly model: Model;
  readonly limits: Limits;
  readonly limiter: RateLimiter | undefined;
  readonly telemetry: Telemetry | undefined;
  /** The current attempt to open the stores; undefined once they are open. */
  readonly opening: () => Promise<void> | undefined;
  readonly log: Log;
}

/** One thing that happens around an operation. It calls `inner`, or returns a failure instead. */
type Stage = (inner: Run) => Run;

/** The stages that every operation passes, whether it comes by HTTP, over a socket, from local code or within a transaction. */
export interface Pipeline {
  /** Puts all stages in front of the engine, or of one transaction of it. */
  readonly through: (engine: Run) => Run;
  /** Calls `listener` with each operation before it runs. Returns the function that ends this. */
  readonly observe: (listener: (operation: Operation) => void) => () => void;
  /** Refuses each operation from now on. */
  readonly stop: () => void;
}

export function createPipeline({ model, limits, limiter, telemetry, opening, log }: PipelineParts): Pipeline {
  const observers = new Set<(operation: Operation) => void>();
  let isStopped = false;

  /** A request whose body arrived slowly can begin its operation after the API was closed. The engine ends a subscription at once. */
  const refuseAfterClose: Stage = (inner) => (operation, caller) =>
    isStopped && operation.kind !== "watch" ? { kind: "failure", error: closed() } : inner(operation, caller);

  const awaitStores: Stage = (inner) => (operation, caller) => {
    const attempt = opening();
    if (attempt === undefined) return inner(operation, caller);
    return attempt.then(
      () => inner(operation, caller),
      (thrown: unknown) => ({ kind: "failure", error: maskError(thrown, caller, log) }),
    );
  };

  const notifyObservers: Stage = (inner) => (operation, caller) => {
    for (const observe of observers) observe(operation);
    return inner(operation, caller);
  };

  const record: Stage = (inner) =>
    telemetry === undefined
      ? inner
      : (operation, caller) =>
          telemetry.operation({ operation, caller, timeout: limits.timeout }, () => inner(operation, caller));

  const charge: Stage = (inner) => (limiter === undefined ? inner : chargeOperations(inner, limiter, model, limits));

  /** From the first to the last. The engine checks access, input and deadline itself. */
  const stages: readonly Stage[] = [refuseAfterClose, awaitStores, notifyObservers, record, charge];

  return {
    through: (engine) => stages.reduceRight((inner, stage) => stage(inner), engine),
    observe(listener) {
      observers.add(listener);
      return () => void observers.delete(listener);
    },
    stop() {
      isStopped = true;
    },
  };
}
