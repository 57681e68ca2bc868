import { AsyncLocalStorage } from "../runtime/async-hooks.ts";
import type { EventDraft } from "../events/change-event.ts";
import type { MaybePromise, Store } from "../store/store.ts";
import type { Engine, OperationContext } from "./operation-context.ts";

/** A running transaction, for the calls of its own code. */
interface AmbientTransaction {
  readonly engine: Engine;
  isOver: boolean;
}

const current = new AsyncLocalStorage<AmbientTransaction>();
/** Lets calls skip the lookup until the first transaction with application code. */
let isUsed = false;

/**
 * Runs application code within a transaction. Calls of the same API in it join the transaction; otherwise they would
 * wait for it while it waits for them.
 */
export async function withAmbientTransaction<T>(engine: Engine, work: () => MaybePromise<T>): Promise<T> {
  isUsed = true;
  const transaction: AmbientTransaction = { engine, isOver: false };
  try {
    return await current.run(transaction, work);
  } finally {
    // Calls that the code started without awaiting them no longer join the transaction.
    transaction.isOver = true;
  }
}

/** Does the same for an action or a hook, if its operation runs in a transaction. */
export function runApplicationCode<T>(
  context: OperationContext,
  events: EventDraft[],
  work: () => MaybePromise<T>,
): MaybePromise<T> {
  const { engine, unscopedStoreOf: storeOf, deadline } = context;
  if (storeOf === engine.storeOf) return deadline.untilOver(work());
  // Code that never settles would hold the transaction's connection forever.
  return deadline.untilOver(withAmbientTransaction(withinTransaction(engine, { storeOf, events }), work));
}

/** Returns the engine of the enclosing transaction, if it belongs to the same API. */
export function ambientEngine({ model }: Engine): Engine | undefined {
  if (!isUsed) return undefined;
  const around = current.getStore();
  return around === undefined || around.isOver || around.engine.model !== model ? undefined : around.engine;
}

/** The reasons why transactions must not commit, by their lists of events. */
const rollbackOnly = new WeakMap<readonly EventDraft[], unknown>();

export function isRollbackOnly(events: readonly EventDraft[]): boolean {
  return rollbackOnly.has(events);
}

/** Throws the reason why a transaction must not commit, even if application code caught the error before. */
export function throwIfRollbackOnly(events: readonly EventDraft[]): void {
  if (rollbackOnly.has(events)) throw rollbackOnly.get(events);
}

/**
 * Creates an engine whose operations join a transaction. Their events are collected and published after the commit.
 */
export function withinTransaction(
  engine: Engine,
  { storeOf, events }: { readonly storeOf: (resource: string) => Store; readonly events: EventDraft[] },
): Engine {
  const { changes } = engine;
  // Writes to a store outside the transaction are committed at once, whatever happens to the transaction.
  const isOutside = (resource: string): boolean =>
    engine.storeOf(resource) === storeOf(resource) && storeOf(resource).capabilities.transactions;
  return {
    ...engine,
    storeOf,
    changes: {
      isKept: (resource) => isOutside(resource) && changes.isKept(resource),
      sourceOf: (resource) => changes.sourceOf(resource),
      publish(drafts, kept, context) {
        const outside = drafts.filter(({ resource }) => isOutside(resource));
        events.push(...drafts.filter((draft) => !outside.includes(draft)));
        return outside.length === 0 ? undefined : changes.publish(outside, kept, context);
      },
      // A failed operation can't be rolled back alone within the transaction. In another store, it was rolled back.
      markRollbackOnly(resource, thrown) {
        if (engine.storeOf(resource) !== storeOf(resource) && !rollbackOnly.has(events))
          rollbackOnly.set(events, thrown);
      },
    },
  };
}
