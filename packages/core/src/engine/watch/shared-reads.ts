import type { Change } from "../../operation/outcome.ts";

type Reading = Promise<Change | undefined>;

/** How many events back a reading is kept, for lanes that are behind the others. */
const MOST_EVENTS = 128;

let clock = 0;

/** A moment later than all before. */
export function tick(): number {
  return ++clock;
}

/** What was read of the last events by one operation, each once for a view. */
export class SharedReads {
  readonly #events = new Map<string, Map<string, { readonly start: number; readonly reading: Reading }>>();

  /** The reading of an event for a view: one that began after `since`, so that nobody sees a row as it was before. */
  get(
    event: string,
    view: string,
    since: number,
    read: () => Reading,
  ): { readonly start: number; readonly reading: Reading } {
    let views = this.#events.get(event);
    if (views === undefined) {
      this.#events.set(event, (views = new Map()));
      if (this.#events.size > MOST_EVENTS) this.#events.delete(this.#events.keys().next().value as string);
    }
    const before = views.get(view);
    if (before !== undefined && before.start > since) return before;
    const own = { start: tick(), reading: read() };
    views.set(view, own);
    // A failed read must not answer the attempts that follow.
    own.reading.catch(() => {
      if (views.get(view) === own) views.delete(view);
    });
    return own;
  }

  clear(): void {
    this.#events.clear();
  }
}
