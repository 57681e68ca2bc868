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
import type { RowScope, ScopeFor } from "./scope/row-scope.ts";
import type { Resumptions } from "./watch/resumptions.ts";

/** The parts of the engine that operations use. */
export interface Engine {
  readonly model: Model;
  readonly storeOf: (resource: string) => Store;
  /** Returns the rows that a caller can reach. Undefined if no resource limits them. */
  readonly scopeFor: ScopeFor | undefined;
  /** Whether any resource has a history. */
  readonly hasHistory: boolean;
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
  /** The action that makes the changes, for their history. */
  readonly action?: string;
  /** The rows that it can reach. Undefined if no resource limits them. */
  readonly scope: RowScope | undefined;
  /** Returns the transaction's handle within a transaction, and otherwise the store itself. It only reaches rows in the scope. */
  readonly storeOf: (resource: string) => Store;
  /** Returns the same store without the limits of the scope, to compare stores and for transactions and logs. */
  readonly unscopedStoreOf: (resource: string) => Store;
}

export interface Cacheability {
  /** True if a rule, or a hook of a read, could read the caller. */
  personal: boolean;
}

/** @param isTrusted - whether Bifocal's own code calls, so that it reaches the rows of every tenant */
export function createOperationContext(
  engine: Engine,
  caller: Caller,
  deadline: Deadline,
  isTrusted = false,
): OperationContext {
  const { principal, log = engine.log } = caller;
  const system = principal !== null && isSystem(principal);
  const scope = engine.scopeFor?.(principal, isTrusted, log);
  deadline.tenants = scope?.tenants;
  return {
    engine,
    caller,
    deadline,
    log,
    system,
    decisions: undefined,
    cacheability: { personal: false },
    scope,
    storeOf: scope === undefined ? engine.storeOf : scopedStores(scope, engine.storeOf),
    unscopedStoreOf: engine.storeOf,
  };
}

/** Returns a context whose stores are replaced, such as by the handle of a transaction. */
export function withStores(context: OperationContext, storeOf: Engine["storeOf"]): OperationContext {
  const { scope } = context;
  return {
    ...context,
    storeOf: scope === undefined ? storeOf : scopedStores(scope, storeOf),
    unscopedStoreOf: storeOf,
  };
}

/** Returns the store of a resource for statements that also reach its soft-deleted rows. */
export function storeWithDeleted({ scope, unscopedStoreOf }: OperationContext, resource: string): Store {
  const store = unscopedStoreOf(resource);
  return scope?.viewWithDeleted(store) ?? store;
}

/** Returns the store of a resource for its references to rows that are deleted or renamed, in all tenants. */
export function storeOfReferences(
  { scope, unscopedStoreOf }: OperationContext,
  resource: string,
  withDeleted = false,
): Store {
  const store = unscopedStoreOf(resource);
  return scope?.viewOfReferences(store, withDeleted) ?? store;
}

function scopedStores(scope: RowScope, storeOf: Engine["storeOf"]): Engine["storeOf"] {
  return (resource) => scope.view(storeOf(resource));
}

/** Whether rules may hide fields of a row from the caller. Its versions then differ from those that stores compare. */
export function mayHideFields({ system }: OperationContext, { ruledFields }: ResourceModel): boolean {
  return !system && ruledFields.length > 0;
}
