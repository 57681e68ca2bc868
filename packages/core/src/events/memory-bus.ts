import { randomBytes } from "node:crypto";
import type { Bus, BusMessage, ChangeEvent } from "./bus.ts";

/** An event, and the number in its id. */
interface Kept {
  readonly number: number;
  readonly event: ChangeEvent;
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
  const kept = new Map<string, Kept[]>();
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
    const events = kept.get(resource) ?? [];
    // What was dropped before the first that is kept is not known any more.
    const lost = dropped.get(resource) ?? 0;
    if (number === undefined || number > count || number < lost) listener({ kind: "reset", id: `${run}.${count}` });
    else for (const one of events) if (one.number > number) listener(one.event);
  }

  return {
    publish(drafts) {
      for (const draft of drafts) {
        const number = ++count;
        const event: ChangeEvent = { id: `${run}.${number}`, ...draft };
        let events = kept.get(event.resource);
        if (events === undefined) kept.set(event.resource, (events = []));
        events.push({ number, event });
        if (events.length > keep) dropped.set(event.resource, (events.shift() as Kept).number);
        for (const listener of listeners.get(event.resource) ?? []) listener(event);
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
