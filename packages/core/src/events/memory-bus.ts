import { randomBytes } from "node:crypto";
import type { Bus, BusMessage, ChangeEvent, EventDraft } from "./bus.ts";

/** An event, and the number that its id is made of when somebody wants it. */
interface Kept {
  readonly number: number;
  readonly draft: EventDraft;
}

/** The last events of a resource: a list that starts over at its end. */
interface Ring {
  readonly slots: Kept[];
  /** Where the oldest is, once the list is full. */
  start: number;
}

type Listener = (message: BusMessage) => void;

export interface MemoryBusOptions {
  /** How many events of each resource are kept for those who resume. Default 1,000. */
  readonly keep?: number;
}

/** A bus within one process. Its ids are of this process: who resumes with another's gets a `reset`. */
export function memoryBus({ keep = 1_000 }: MemoryBusOptions = {}): Bus {
  const run = randomBytes(6).toString("base64url");
  const listeners = new Map<string, Set<Listener>>();
  const kept = new Map<string, Ring>();
  /** The number of the last event of a resource that is no longer kept. */
  const dropped = new Map<string, number>();
  let count = 0;

  /** The number in an id of this run. */
  function numberOf(id: string): number | undefined {
    const number = id.startsWith(`${run}.`) ? id.slice(run.length + 1) : "";
    return /^\d{1,15}$/.test(number) ? Number(number) : undefined;
  }

  function replay(resource: string, listener: Listener, after: string): void {
    const number = numberOf(after);
    // What was dropped before the first that is kept is not known any more.
    const lost = dropped.get(resource) ?? 0;
    if (number === undefined || number > count || number < lost) listener({ kind: "reset", id: `${run}.${count}` });
    else for (const one of inOrder(kept.get(resource))) if (one.number > number) listener(eventOf(one));
  }

  function eventOf({ number, draft }: Kept): ChangeEvent {
    return { id: `${run}.${number}`, ...draft };
  }

  function keepOne(one: Kept): void {
    const { resource } = one.draft;
    let ring = kept.get(resource);
    if (ring === undefined) kept.set(resource, (ring = { slots: [], start: 0 }));
    const { slots, start } = ring;
    if (slots.length < keep) {
      slots.push(one);
      return;
    }
    const oldest = slots[start] ?? one;
    dropped.set(resource, oldest.number);
    // Where nothing is kept at all, it is the one itself that is dropped.
    if (oldest === one) return;
    slots[start] = one;
    ring.start = (start + 1) % keep;
  }

  return {
    publish(drafts) {
      for (const draft of drafts) {
        const one = { number: ++count, draft };
        keepOne(one);
        const heard = listeners.get(draft.resource);
        if (heard === undefined || heard.size === 0) continue;
        const event = eventOf(one);
        for (const listener of heard) listener(event);
      }
    },
    subscribe(resource, listener, after) {
      const own = listeners.get(resource) ?? new Set();
      listeners.set(resource, own);
      if (after !== undefined) replay(resource, listener, after);
      own.add(listener);
      return () => void own.delete(listener);
    },
    close() {
      listeners.clear();
      kept.clear();
    },
  };
}

function inOrder(ring: Ring | undefined): readonly Kept[] {
  return ring === undefined ? [] : [...ring.slots.slice(ring.start), ...ring.slots.slice(0, ring.start)];
}
