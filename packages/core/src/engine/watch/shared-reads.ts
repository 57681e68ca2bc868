import type { Change } from "../../operation/outcome.ts";

type Reading = Promise<Change | undefined>;

/** Number of events for which results are kept, for watchers that lag behind. */
const MAX_EVENTS = 128;

let clock = 0;

/** Returns a logical time, later than all before. */
export function tick(): number {
  return ++clock;
}

/** The results of reading the last events for one operation, by view. */
export class SharedReads {
  readonly #events = new Map<string, Map<string, { readonly start: number; readonly reading: Reading }>>();

  /**
   * Returns the result of an event for a view. It began after `since`, so that no watcher sees an older state of a row
   * than before.
   */
  get(
    event: string,
    view: string,
    since: number,
    read: () => Reading,
  ): { readonly start: number; readonly reading: Reading } {
    let views = this.#events.get(event);
    if (views === undefined) {
      this.#events.set(event, (views = new Map()));
      if (this.#events.size > MAX_EVENTS) this.#events.delete(this.#events.keys().next().value as string);
    }
    const before = views.get(view);
    if (before !== undefined && before.start > since) return before;
    const own = { start: tick(), reading: read() };
    views.set(view, own);
    // A failed read must not be reused by retries.
    own.reading.catch(() => {
      if (views.get(view) === own) views.delete(view);
    });
    return own;
  }

  clear(): void {
    this.#events.clear();
  }
}
