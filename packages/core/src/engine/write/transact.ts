import type { Store } from "../../store/store.ts";
import type { EventDraft } from "../../events/change-event.ts";
import type { MaybePromise } from "../../util/maybe-promise.ts";
import { recordHistory } from "../history/record-history.ts";
import { withoutSecrets } from "../changes/changes.ts";
import { type OperationContext, withStores } from "../operation-context.ts";
import { isRollbackOnly, throwIfRollbackOnly } from "../ambient-transaction.ts";

/**
 * Runs the steps of a write in one transaction of the resource's store, if it supports transactions. Events are written
 * to the store's log in the same transaction and published after the commit. If the work fails, no event is published;
 * an enclosing transaction of application code then fails too, if the work had written something. A store may run the
 * work again after a conflict, so each attempt collects its own events.
 */
export async function transact<T>(
  context: OperationContext,
  resource: string,
  work: (context: OperationContext, events: EventDraft[]) => Promise<T>,
): Promise<T> {
  const store = context.unscopedStoreOf(resource);
  // Decisions of rules also apply within the transaction.
  context.decisions ??= new Map();
  const attempt = async (
    inner: OperationContext,
  ): Promise<{ readonly result: T; readonly events: readonly EventDraft[] }> => {
    const events: EventDraft[] = [];
    try {
      const result = await work(inner, events);
      throwIfRollbackOnly(events);
      if (context.engine.hasHistory) await recordHistory(inner, events);
      return { result, events };
    } catch (thrown) {
      if (events.length > 0 || isRollbackOnly(events)) context.engine.changes.markRollbackOnly?.(resource, thrown);
      throw thrown;
    }
  };
  const { result, events } = store.capabilities.transactions
    ? await store.transaction((handle) => {
        const storeOf = (name: string): ReturnType<OperationContext["storeOf"]> => {
          const other = context.unscopedStoreOf(name);
          return other === store ? handle : other;
        };
        return attempt(withStores(context, storeOf)).then(async (done) => {
          await append(context, store, handle, done.events);
          return done;
        });
      }, context.deadline)
    : await attempt(context);
  await publish(context, events, store.capabilities.transactions ? store : undefined);
  return result;
}

/** A transaction can only write to the log of its own store. */
async function append(
  context: OperationContext,
  store: Store,
  handle: Store,
  events: readonly EventDraft[],
): Promise<void> {
  const { changes, model } = context.engine;
  const own = events.filter(({ resource }) => context.unscopedStoreOf(resource) === store && changes.isKept(resource));
  if (own.length > 0) await handle.appendChanges?.(withoutSecrets(model, own), context.deadline);
}

/**
 * Publishes the events of a committed write. A failure is logged and not thrown, because the write succeeded. `kept` is
 * the store that has already logged its changes.
 */
export function publish(context: OperationContext, events: readonly EventDraft[], kept?: Store): MaybePromise<void> {
  if (events.length === 0) return undefined;
  const fail = (thrown: unknown): void => {
    context.log.error("Events of a committed write could not be published.", { cause: thrown });
  };
  try {
    const published = context.engine.changes.publish(events, kept, context.deadline);
    return published instanceof Promise ? published.catch(fail) : undefined;
  } catch (thrown) {
    fail(thrown);
    return undefined;
  }
}
