import { AsyncLocalStorage } from "node:async_hooks";
import type { EventDraft } from "../events/change-event.ts";
import type { MaybePromise, Store } from "../store/store.ts";
import type { Engine, Frame } from "./frame.ts";

/** A transaction that is under way, for what its own code calls. */
interface Surroundings {
  readonly engine: Engine;
  isOver: boolean;
}

const current = new AsyncLocalStorage<Surroundings>();
/** Until there was a transaction with code of the application in it, nobody has to look. */
let isUsed = false;

/**
 * Runs code of the application within a transaction: what it calls of the same API meanwhile takes part in that. On its
 * own it would wait for a transaction which waits for it.
 */
export async function surround<T>(engine: Engine, work: () => MaybePromise<T>): Promise<T> {
  isUsed = true;
  const surroundings: Surroundings = { engine, isOver: false };
  try {
    return await current.run(surroundings, work);
  } finally {
    // What it began and did not wait for is on its own again.
    surroundings.isOver = true;
  }
}

/** The same for the code of an action or a hook, whose transaction a frame has, if it has one. */
export function surroundCode<T>(frame: Frame, events: EventDraft[], work: () => MaybePromise<T>): MaybePromise<T> {
  const { engine, storeOf, context } = frame;
  if (storeOf === engine.storeOf) return context.untilOver(work());
  // A transaction that waits for what never settles would hold its connection for ever.
  return context.untilOver(surround(withinTransaction(engine, { storeOf, events }), work));
}

/** The engine of the transaction in whose code this is called, if it is one of the same API. */
export function surroundingEngine({ model }: Engine): Engine | undefined {
  if (!isUsed) return undefined;
  const around = current.getStore();
  return around === undefined || around.isOver || around.engine.model !== model ? undefined : around.engine;
}

/** Why a transaction must not be committed, by the events that it notes. */
const spoiled = new WeakMap<readonly EventDraft[], unknown>();

export function isSpoiled(events: readonly EventDraft[]): boolean {
  return spoiled.has(events);
}

/** Throws why a transaction must not be committed, whoever caught that before. */
export function throwIfSpoiled(events: readonly EventDraft[]): void {
  if (spoiled.has(events)) throw spoiled.get(events);
}

/** An engine whose operations are part of a transaction. What happens is noted, and published when it is committed. */
export function withinTransaction(
  engine: Engine,
  { storeOf, events }: { readonly storeOf: (resource: string) => Store; readonly events: EventDraft[] },
): Engine {
  const { changes } = engine;
  // What a store has committed that has no part in the transaction stays, whatever becomes of that.
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
      // Half of an operation cannot be taken back alone; that of another store is.
      spoil(resource, thrown) {
        if (engine.storeOf(resource) !== storeOf(resource) && !spoiled.has(events)) spoiled.set(events, thrown);
      },
    },
  };
}
