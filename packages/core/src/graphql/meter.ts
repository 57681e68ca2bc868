import type { ExecutionResult } from "graphql";
import type { Model } from "../model/model.ts";
import { tooCostly } from "../limits/refuse-excess.ts";
import { costOf } from "../limits/cost.ts";
import type { Limits } from "../limits/limits.ts";
import type { Operation } from "../operation/operation.ts";
import type { ExecutionContext } from "./context.ts";
import type { RunOnce } from "./idempotent-run.ts";
import { isBifocalError } from "../errors/bifocal-error.ts";
import type { Change, Outcome } from "../operation/outcome.ts";
import { mapMaybePromise } from "../util/maybe-promise.ts";
import { omitUndefined } from "../util/omit-undefined.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { Caller } from "../operation/run.ts";

/** The `extensions` of a result. */
export interface Extensions {
  readonly cost?: number;
  /** The id of the event that a subscription result is about. A client resumes after it with `after: "…"`. */
  readonly eventId?: string;
  /** What happened to the row of a subscription result. `current`: it is one of the initial rows. */
  readonly kind?: Change["kind"];
  /** The idempotency keys whose writes had been done before. */
  readonly replayed?: readonly string[];
  /** The version of the row, which is its `ETag` in REST. For requests with `Prefer: row-version`. */
  readonly version?: string;
}

interface MeterOptions {
  /** Whether results include their cost. */
  readonly isShown: boolean;
  readonly runOnce: RunOnce;
}

/** Adds up the cost of one request's operations, and refuses the operation that would exceed the limit. */
export type Meter = (context: ExecutionContext) => ExecutionContext;

export function createMeter(model: Model, limits: Limits, { isShown, runOnce }: MeterOptions): Meter {
  return (context) => {
    let spent = 0;
    let replayed: string[] | undefined;
    let versions: string[] | undefined;
    const noteVersion = (outcome: Outcome): Outcome => {
      if (outcome.kind === "item") (versions ??= []).push(outcome.version);
      return outcome;
    };
    const onReplay = (key: string): void => void (replayed ??= []).push(key);
    /** The costs that `refuseTotal` computed. Undefined for a single operation. */
    let known: Map<Operation, number> | undefined;
    const metered: ExecutionContext = {
      ...context,
      version: () => (versions?.length === 1 ? versions[0] : undefined),
      refuseTotal(operations, more = 0) {
        let cost = spent + more;
        known ??= new Map();
        for (const operation of operations) {
          const own = costOf(operation, model);
          known.set(operation, own);
          cost += own;
        }
        return cost > limits.query.cost ? tooCostly(cost, limits.query.cost) : undefined;
      },
      replayed: () => replayed,
      run(operation, caller) {
        const cost = known?.get(operation) ?? costOf(operation, model);
        if (spent + cost > limits.query.cost) caller.onMalformed?.();
        // The engine rejects an operation that exceeds the limit on its own, with a message that explains why.
        if (cost <= limits.query.cost && spent + cost > limits.query.cost) {
          return { kind: "failure", error: tooCostly(spent + cost, limits.query.cost) };
        }
        spent += cost;
        const outcome = runOnce(context.run, operation, caller, cost, { header: context.idempotencyKey, onReplay });
        return context.wantsVersion === true ? mapMaybePromise(outcome, noteVersion) : outcome;
      },
    };
    return isShown ? { ...metered, cost: () => spent } : metered;
  };
}

const NONE: Extensions = {};

export function extensionsOf(context: Pick<ExecutionContext, "cost" | "replayed" | "version">): Extensions {
  const [cost, replayed, version] = [context.cost?.(), context.replayed?.(), context.version?.()];
  if (cost === undefined && replayed === undefined && version === undefined) return NONE;
  return omitUndefined<Extensions>({ cost, replayed, version });
}

export function withExtensions<Result extends ExecutionResult>(result: Result, added: Extensions): Result {
  if (added.cost === undefined && added.kind === undefined) return result;
  return { ...result, extensions: { ...result.extensions, ...added } };
}

/** Errors that are found only after the request has been read. */
const MALFORMED: ReadonlySet<ErrorCode> = new Set(["BAD_REQUEST", "PAYLOAD_TOO_LARGE"]);

/** Charges a caller for an invalid GraphQL request. A request for an unknown persisted document is free. */
export function noteMalformed(thrown: unknown, caller: Caller): void {
  if (isBifocalError(thrown) && MALFORMED.has(thrown.code)) caller.onMalformed?.();
}
