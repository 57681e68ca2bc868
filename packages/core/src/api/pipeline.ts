import { maskError } from "../errors/mask-error.ts";
import { closed } from "../http/overload.ts";
import { chargeOperations } from "../limits/charge.ts";
import type { Limits } from "../limits/limits.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Model } from "../model/model.ts";
import type { Operation } from "../operation/operation.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { StoreOpening } from "./store-opening.ts";
import type { Log } from "../util/log.ts";

export interface PipelineParts {
  readonly model: Model;
  readonly limits: Limits;
  readonly limiter: RateLimiter | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly opening: StoreOpening;
  readonly log: Log;
}

/** A step around each operation. It calls `inner`, or returns a failure instead. */
type Stage = (inner: Run) => Run;

/** The stages that every operation passes, whether it comes from HTTP, a socket, a local call or a transaction. */
export interface Pipeline {
  /** Puts all stages in front of the engine, or in front of one of its transactions. */
  readonly through: (engine: Run) => Run;
  /** Calls `listener` with each operation before it runs. Returns a function that ends this. */
  readonly observe: (listener: (operation: Operation) => void) => () => void;
  /** Rejects each operation from now on. */
  readonly stop: () => void;
}

export function createPipeline({ model, limits, limiter, telemetry, opening, log }: PipelineParts): Pipeline {
  const observers = new Set<(operation: Operation) => void>();
  let isStopped = false;

  /**
   * Rejects operations that begin after the API was closed, for example because the request's body arrived slowly. The
   * engine itself ends subscriptions.
   */
  const refuseAfterClose: Stage = (inner) => (operation, caller, cost) =>
    isStopped && operation.kind !== "watch" ? { kind: "failure", error: closed() } : inner(operation, caller, cost);

  const awaitStores: Stage = (inner) => (operation, caller, cost) => {
    const attempt = opening.isDone ? undefined : opening.start();
    return attempt === undefined
      ? inner(operation, caller, cost)
      : afterOpening(attempt, inner, operation, caller, cost);
  };

  function afterOpening(
    attempt: Promise<void>,
    inner: Run,
    operation: Operation,
    caller: Caller,
    cost: number | undefined,
  ): ReturnType<Run> {
    return attempt.then(
      () => inner(operation, caller, cost),
      (thrown: unknown) => ({ kind: "failure", error: maskError(thrown, caller, log) }),
    );
  }

  const notifyObservers: Stage = (inner) => (operation, caller, cost) => {
    if (observers.size > 0) for (const observe of observers) observe(operation);
    return inner(operation, caller, cost);
  };

  const record: Stage = (inner) =>
    telemetry === undefined
      ? inner
      : (operation, caller, cost) =>
          telemetry.operation({ operation, caller, timeout: limits.query.timeout }, () =>
            inner(operation, caller, cost),
          );

  const charge: Stage = (inner) => (limiter === undefined ? inner : chargeOperations(inner, limiter, model, limits));

  /** In order, the first one outermost. The engine itself checks access, input and the deadline. */
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
