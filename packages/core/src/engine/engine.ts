import type { SystemPrincipal } from "../definition/principal.ts";
import type { Bus } from "../events/bus.ts";
import type { Model } from "../model/model.ts";
import type { ChargeMore } from "../limits/charge.ts";
import { costOf, depthOf } from "../limits/cost.ts";
import { refuseCost, refuseDepth } from "../limits/refuse-excess.ts";
import type { Limits } from "../limits/limits.ts";
import type { Operation } from "../operation/operation.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Run } from "../operation/run.ts";
import type { Store } from "../store/store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { Log } from "../util/log.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";
import { Changes } from "./changes/changes.ts";
import { createCursors } from "./cursors.ts";
import { createDeadlines } from "./deadline.ts";
import { createOperationContext, type Engine, type OperationContext } from "./operation-context.ts";
import { resourceOf } from "../model/resource-of.ts";
import { requireTenant } from "./scope/require-tenant.ts";
import { createScopes } from "./scope/row-scope.ts";
import { EntryPruner } from "./history/entry-pruner.ts";
import { requireRow } from "./history/require-row.ts";
import { maskError } from "../errors/mask-error.ts";
import { runAct } from "./run-act.ts";
import { runAggregate } from "./run-aggregate.ts";
import { runGet } from "./run-get.ts";
import { runList } from "./run-list.ts";
import { runQuery } from "./query/run-query.ts";
import { runTransaction, type TransactionParts } from "./run-transaction.ts";
import { runPermissions } from "./run-permissions.ts";
import { runWatch } from "./run-watch.ts";
import { ambientEngine } from "./ambient-transaction.ts";
import { Resumptions } from "./watch/resumptions.ts";
import { Watches } from "./watch/watches.ts";
import { checkAnswer } from "./write/answer-row.ts";
import { runDeleteMany, runUpdateMany } from "./write/batch/run-batch.ts";
import { runCreate } from "./write/create/run-create.ts";
import { runCreateMany } from "./write/batch/run-create-many.ts";
import { runLink } from "./write/links/run-link.ts";
import { runDelete } from "./write/deletion/run-delete.ts";
import { runUpdate } from "./write/update/run-update.ts";
import { describeUniqueViolation, UniqueViolation } from "./write/checks/unique-violation.ts";
import { runUpsert } from "./write/update/run-upsert.ts";

export interface EngineOptions {
  readonly model: Model;
  /** The store of each resource. */
  readonly stores: ReadonlyMap<string, Store>;
  /** Connects the instances of the API. Undefined if there is only one. */
  readonly bus: Bus | undefined;
  /** Number of changes per resource to keep in memory, for stores without a change log. */
  readonly keep: number;
  /** Milliseconds between reads of the stores' logs. */
  readonly poll: number;
  readonly limits: Limits;
  /** Charges for work that depends on the data, such as the rows of a cascade. */
  readonly charge: ChargeMore;
  /** Signs cursors. Instances with the same secret accept each other's cursors. */
  readonly secret: string;
  readonly log: Log;
  readonly telemetry: Telemetry | undefined;
  /** Returns the local calls of a resource as a caller. */
  readonly localFor: Engine["localFor"];
}

/** Creates the engine: one function that runs every operation and contains the only try/catch. */
export function createEngine({ secret, bus, keep, poll, stores, ...parts }: EngineOptions): {
  readonly run: Run;
  readonly transaction: <T>(parts: TransactionParts<T>) => Promise<T>;
  /** Ends every stream of changes and their sources. */
  readonly close: () => Promise<void>;
  readonly parts: Engine;
} {
  const createDeadline = createDeadlines(parts.limits.query.timeout);
  const watches = new Watches(() => engine);
  const { model, log } = parts;
  const storeOf: Engine["storeOf"] = (resource) => stores.get(resource) as Store;
  const changes = new Changes({ model, storeOf, bus, keep, poll, log });
  const resumptions = new Resumptions(parts.limits.subscriptions.resumptions);
  const cursors = createCursors(secret);
  const engine: Engine = {
    ...parts,
    storeOf,
    scopeFor: createScopes(model),
    hasHistory: [...model.resources.values()].some(({ history }) => history !== undefined),
    changes,
    cursors,
    createDeadline,
    watches,
    resumptions,
  };

  const keptFor = [...model.resources.values()].filter(({ keepFor }) => keepFor !== undefined);
  const pruner = keptFor.length > 0 ? new EntryPruner(engine, keptFor) : undefined;
  const alone = createRun(engine);
  const run: Run = (operation, caller, cost) => {
    pruner?.start();
    const around = operation.kind === "watch" ? undefined : ambientEngine(engine);
    return (around === undefined ? alone : createRun(around))(operation, caller, cost);
  };
  return {
    run,
    transaction: (parts) => runTransaction(engine, createRun, parts),
    parts: engine,
    close: async () => {
      await pruner?.close();
      watches.endAll();
      await changes.close();
    },
  };
}

/** Creates the function that every operation passes. */
function createRun(engine: Engine): Run {
  return (operation, caller, cost) => {
    const deadline = engine.createDeadline(caller);
    const context = createOperationContext(engine, caller, deadline);
    try {
      if (context.system) logSystem(context, operation);
      const outcome = attempt(context, operation, cost);
      return outcome instanceof Promise ? withinDeadline(context, operation, outcome) : outcome;
    } catch (thrown) {
      return fail(context, operation, thrown);
    }
  };
}

function withinDeadline(context: OperationContext, operation: Operation, outcome: Promise<Outcome>): Promise<Outcome> {
  return context.deadline.limit(outcome).catch((thrown: unknown) => fail(context, operation, thrown));
}

function fail(context: OperationContext, operation: Operation, thrown: unknown): MaybePromise<Outcome> {
  const mask = (cause: unknown): Outcome => ({
    kind: "failure",
    error: maskError(cause, context.caller, context.engine.log, operation),
  });
  return thrown instanceof UniqueViolation ? describeUniqueViolation(context, thrown).then(mask, mask) : mask(thrown);
}

/** Operations that bypass the rules are logged with their reason. */
function logSystem({ log, caller }: OperationContext, { kind, resource }: Operation): void {
  const { "~system": reason } = caller.principal as SystemPrincipal;
  log.info(`A system call bypasses the access rules: ${reason}`, { operation: kind, resource });
}

/** Rejects an operation that nests relations too deeply or costs too much, before anything is read or written. */
function checkLimits(operation: Operation, { model, limits }: Engine, cost = costOf(operation, model)): void {
  const { query } = limits;
  const selection = "selection" in operation ? operation.selection : undefined;
  if (selection !== undefined && depthOf(selection) > query.selectionDepth) refuseDepth(selection, limits);
  if (cost > query.cost) refuseCost(operation, model, limits, cost);
}

type Write = Exclude<Operation, { kind: "get" | "list" | "aggregate" | "query" | "permissions" | "watch" }>;

/** Returns the outcome synchronously if no part of the operation has to wait. */
function attempt(context: OperationContext, operation: Operation, cost: number | undefined): MaybePromise<Outcome> {
  checkLimits(operation, context.engine, cost);
  const resource = resourceOf(context.engine.model, operation.resource);
  requireTenant(context, resource);
  requireRow(context, resource, operation.kind);
  switch (operation.kind) {
    case "get":
      return runGet(context, operation);
    case "list":
      return runList(context, operation);
    case "aggregate":
      return runAggregate(context, operation);
    case "query":
      return runQuery(context, operation);
    case "permissions":
      return runPermissions(context, operation);
    case "watch":
      return runWatch(context, operation);
    default:
      return checkAndWrite(context, operation);
  }
}

function checkAndWrite(context: OperationContext, operation: Write): MaybePromise<Outcome> {
  return mapMaybePromise(checkAnswer(context, operation), () => write(context, operation));
}

function write(context: OperationContext, operation: Write): MaybePromise<Outcome> {
  switch (operation.kind) {
    case "create":
      return runCreate(context, operation);
    case "createMany":
      return runCreateMany(context, operation);
    case "replace": {
      const { upsert } = resourceOf(context.engine.model, operation.resource);
      return upsert ? runUpsert(context, operation) : runUpdate(context, operation);
    }
    case "update":
      return runUpdate(context, operation);
    case "updateMany":
      return runUpdateMany(context, operation);
    case "deleteMany":
      return runDeleteMany(context, operation);
    case "delete":
      return runDelete(context, operation);
    case "link":
    case "unlink":
      return runLink(context, operation);
    case "act":
      return runAct(context, operation);
  }
}
