import { isSystem } from "../definition/principal.ts";
import type { Model, ResourceModel, RuleModel } from "../model/model.ts";
import type { Filter } from "../operation/filter.ts";
import type { ChargeMore } from "../limits/charge.ts";
import type { Limits } from "../limits/limits.ts";
import type { WatchOperation } from "../operation/operation.ts";
import type { Caller } from "../operation/run.ts";
import type { MaybePromise, Store } from "../store/store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";
import type { Changes } from "./changes/changes.ts";
import type { Cursors } from "./cursors.ts";
import type { CreateDeadline, Deadline } from "./deadline.ts";
import type { Opening } from "./watch/opening.ts";
import type { Resumptions } from "./watch/resumptions.ts";

/** The parts of the engine that operations use. */
export interface Engine {
  readonly model: Model;
  readonly storeOf: (resource: string) => Store;
  readonly changes: Pick<Changes, "isKept" | "sourceOf" | "publish"> & {
    /** Marks the enclosing transaction as failed if the resource's store takes part in it, so that it can't commit. */
    readonly markRollbackOnly?: (resource: string, thrown: unknown) => void;
  };
  readonly limits: Limits;
  readonly charge: ChargeMore;
  readonly cursors: Cursors;
  readonly createDeadline: CreateDeadline;
  /** Returns the local calls of a resource as a caller. They join the transaction of the code that makes them. */
  readonly localFor: (caller: Caller, resource: string) => unknown;
  readonly watches: {
    readonly open: (resource: ResourceModel, operation: WatchOperation, caller: Caller) => Opening;
  };
  readonly resumptions: Resumptions;
  readonly telemetry: Telemetry | undefined;
  readonly log: Log;
}

/** The state of one operation: its caller, the decisions of rules so far, and its stores. */
export interface OperationContext {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly deadline: Deadline;
  readonly log: Log;
  /** True if rules don't apply. */
  readonly system: boolean;
  /** Decisions of rules that only depend on the caller, each evaluated once. */
  decisions: Map<RuleModel, MaybePromise<Filter>> | undefined;
  readonly cacheability: Cacheability;
  /** Returns the transaction's handle within a transaction, and otherwise the store itself. */
  readonly storeOf: (resource: string) => Store;
}

export interface Cacheability {
  /** True if a rule, or a hook of a read, could read the caller. */
  personal: boolean;
}

export function createOperationContext(engine: Engine, caller: Caller, deadline: Deadline): OperationContext {
  const { principal, log = engine.log } = caller;
  const system = principal !== null && isSystem(principal);
  return {
    engine,
    caller,
    deadline,
    log,
    system,
    decisions: undefined,
    cacheability: { personal: false },
    storeOf: engine.storeOf,
  };
}

/** Whether rules may hide fields of a row from the caller. Its versions then differ from those that stores compare. */
export function mayHideFields({ system }: OperationContext, { ruledFields }: ResourceModel): boolean {
  return !system && ruledFields.length > 0;
}
