import type { ChangeEvent, EventDraft } from "./change-event.ts";
import type { ChangeSource, SourceObserver } from "./change-source.ts";
import { createLogName, eventId, offsetOf } from "./event-id.ts";

/** A change with the offset from which its id is computed on demand. */
interface Kept {
  readonly offset: number;
  readonly draft: EventDraft;
}

/** The last changes of a resource, in a ring buffer. */
interface Ring {
  readonly slots: Kept[];
  /** Index of the oldest change, once the buffer is full. */
  start: number;
}

/**
 * Keeps the last changes (by default 1,000) of each resource in memory, for stores without a log. Its ids are valid in
 * this process only: a client that resumes with another id gets a `reset`.
 */
export class MemoryLog implements ChangeSource {
  readonly #name = createLogName();
  readonly #keep: number;
  readonly #listeners = new Map<string, Set<SourceObserver>>();
  readonly #kept = new Map<string, Ring>();
  /** The offset of the last discarded change of each resource. */
  readonly #dropped = new Map<string, number>();
  #offset = 0;

  constructor({ keep = 1_000 }: { readonly keep?: number | undefined } = {}) {
    this.#keep = keep;
  }

  append(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      const one = { offset: ++this.#offset, draft };
      this.#keepOne(one);
      const listeners = this.#listeners.get(draft.resource);
      if (listeners === undefined || listeners.size === 0) continue;
      const event = this.#eventOf(one);
      for (const listener of listeners) listener.next(event);
    }
  }

  /**
   * Reports that changes of the resource were missed. The stored changes are discarded, because resuming across the gap
   * would miss changes.
   */
  reset(resource: string): void {
    this.#kept.delete(resource);
    this.#dropped.set(resource, ++this.#offset);
    const message = { kind: "reset", id: this.#head() } as const;
    for (const listener of this.#listeners.get(resource) ?? []) listener.next(message);
  }

  subscribe(resource: string, listener: SourceObserver, after?: string): () => void {
    const own = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, own);
    if (after !== undefined) this.#replay(resource, listener, after);
    own.add(listener);
    listener.caughtUp?.();
    return () => void own.delete(listener);
  }

  settled(): undefined {
    return undefined;
  }

  #replay(resource: string, listener: SourceObserver, after: string): void {
    const offset = offsetOf(this.#name, after);
    // Changes before the first stored one are unknown.
    const lost = this.#dropped.get(resource) ?? 0;
    if (offset === undefined || offset > this.#offset || offset < lost)
      listener.next({ kind: "reset", id: this.#head() });
    else
      for (const one of inOrder(this.#kept.get(resource))) if (one.offset > offset) listener.next(this.#eventOf(one));
  }

  #head(): string {
    return eventId(this.#name, this.#offset);
  }

  #eventOf({ offset, draft }: Kept): ChangeEvent {
    return { id: eventId(this.#name, offset), ...draft };
  }

  #keepOne(one: Kept): void {
    const { resource } = one.draft;
    let ring = this.#kept.get(resource);
    if (ring === undefined) this.#kept.set(resource, (ring = { slots: [], start: 0 }));
    const { slots, start } = ring;
    if (slots.length < this.#keep) {
      slots.push(one);
      return;
    }
    const oldest = slots[start] ?? one;
    this.#dropped.set(resource, oldest.offset);
    // With `keep: 0`, the change itself is discarded.
    if (oldest === one) return;
    slots[start] = one;
    ring.start = (start + 1) % this.#keep;
  }
}

function inOrder(ring: Ring | undefined): readonly Kept[] {
  return ring === undefined ? [] : [...ring.slots.slice(ring.start), ...ring.slots.slice(0, ring.start)];
}
