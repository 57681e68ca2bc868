import type { ExecutionResult } from "graphql";
import type { Model } from "../model/model.ts";
import { tooCostly } from "../limits/check-cost.ts";
import { costOf } from "../limits/cost.ts";
import type { Limits } from "../limits/limits.ts";
import type { ExecutionContext } from "./context.ts";

/** What results tell besides. */
export interface Extensions {
  readonly cost?: number;
  /** The event that a result of a subscription is about; what resumes behind it is `after: "…"`. */
  readonly eventId?: string;
}

/** For one request: adds up what its operations cost, and refuses the one with which they would cost too much. */
export type Meter = (context: ExecutionContext) => ExecutionContext;

/** `shown`: results say what they cost. */
export function createMeter(model: Model, limits: Limits, shown: boolean): Meter {
  return (context) => {
    let spent = 0;
    return {
      ...context,
      ...(shown ? { cost: () => spent } : {}),
      refuseTotal(operations, more = 0) {
        const cost = operations.reduce((sum, operation) => sum + costOf(operation, model), spent + more);
        return cost > limits.cost ? tooCostly(cost, limits.cost) : undefined;
      },
      run(operation, caller) {
        const cost = costOf(operation, model);
        if (spent + cost > limits.cost) caller.onMalformed?.();
        // What is too much on its own is for the engine to refuse, which says why.
        if (cost <= limits.cost && spent + cost > limits.cost) {
          return { kind: "failure", error: tooCostly(spent + cost, limits.cost) };
        }
        spent += cost;
        return context.run(operation, caller);
      },
    };
  };
}

const NONE: Extensions = {};

/** With `cost`, where that is to be shown. */
export function extensionsOf({ cost }: Pick<ExecutionContext, "cost">): Extensions {
  return cost === undefined ? NONE : { cost: cost() };
}

export function withExtensions<Result extends ExecutionResult>(result: Result, told: Extensions): Result {
  if (told.cost === undefined && told.eventId === undefined) return result;
  return { ...result, extensions: { ...result.extensions, ...told } };
}
