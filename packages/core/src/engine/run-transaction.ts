import { BifocalError, isBifocalError } from "../errors/bifocal-error.ts";
import type { EventDraft } from "../events/change-event.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { Store } from "../store/store.ts";
import { withoutSecrets } from "./changes/changes.ts";
import { createOperationContext, type Engine } from "./operation-context.ts";
import { maskError } from "../errors/mask-error.ts";
import { isStoreConflict } from "../errors/store-conflict.ts";
import {
  withAmbientTransaction,
  ambientEngine,
  throwIfRollbackOnly,
  withinTransaction,
} from "./ambient-transaction.ts";
import { publish } from "./write/transact.ts";

export interface TransactionParts<T> {
  /** The caller with its abort signal. */
  readonly caller: Caller;
  readonly store: Store;
  readonly work: (run: Run) => Promise<T>;
}

/**
 * Runs the operations of `work` in one transaction of a store and publishes their events after the commit. The store
 * may run `work` again after a conflict with another transaction. If it is called within another transaction, it joins
 * that transaction.
 */
export async function runTransaction<T>(
  root: Engine,
  createRun: (engine: Engine) => Run,
  { caller, store: given, work }: TransactionParts<T>,
): Promise<T> {
  const engine = ambientEngine(root) ?? root;
  const store = currentStore(root, engine, given);
  if (!store.capabilities.transactions) {
    throw new BifocalError("BAD_REQUEST", "The store of this API doesn't support transactions.");
  }
  const deadline = engine.createDeadline(caller);
  const context = createOperationContext(engine, caller, deadline);
  let events: EventDraft[] = [];
  const attempt = async (handle: Store): Promise<T> => {
    events = [];
    let isOver = false;
    const inner = withinTransaction(engine, { storeOf: handleOf(engine, store, handle), events });
    const run = createRun(inner);
    const within: Run = (operation, asker, cost) => {
      if (isOver) return refused("The transaction has ended.");
      if (operation.kind === "watch") return refused("A subscription can't be started in a transaction.");
      return run(operation, asker, cost);
    };
    try {
      const result = await deadline.untilOver(withAmbientTransaction(inner, () => work(within)));
      throwIfRollbackOnly(events);
      const { changes, model } = engine;
      const own = events.filter(({ resource }) => engine.storeOf(resource) === store && changes.isKept(resource));
      if (own.length > 0) await handle.appendChanges?.(withoutSecrets(model, own), deadline);
      return result;
    } finally {
      isOver = true;
    }
  };
  const result = await deadline.limit(store.transaction(attempt, deadline)).catch((thrown: unknown) => {
    const isOurs = isBifocalError(thrown) || isStoreConflict(thrown) || isOver(thrown);
    throw isOurs ? maskError(thrown, caller, engine.log) : thrown;
  });
  await publish(context, events, store);
  return result;
}

function refused(message: string) {
  return { kind: "failure", error: new BifocalError("BAD_REQUEST", message) } as const;
}

function isOver(thrown: unknown): boolean {
  return thrown instanceof Error && (thrown.name === "TimeoutError" || thrown.name === "AbortError");
}

/** Returns the transaction's handle for a store that takes part in the enclosing transaction. */
function currentStore(root: Engine, engine: Engine, store: Store): Store {
  const resource = [...root.model.resources.keys()].find((name) => root.storeOf(name) === store);
  return resource === undefined ? store : engine.storeOf(resource);
}

/** Replaces a store by the handle of its transaction. */
function handleOf(engine: Engine, store: Store, handle: Store): Engine["storeOf"] {
  return (name) => {
    const other = engine.storeOf(name);
    return other === store ? handle : other;
  };
}
