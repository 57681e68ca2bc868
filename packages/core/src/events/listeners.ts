import type { ChangeMessage } from "./change-event.ts";
import type { SourceObserver } from "./change-source.ts";

/** A listener of a resource. */
export interface Listening {
  readonly resource: string;
  readonly listener: SourceObserver;
  /** The offset up to which the listener has received changes. */
  since: number;
  isOver: boolean;
}

/** The listeners of a log, by resource. */
export class Listeners {
  readonly #joined = new Map<string, Set<Listening>>();
  #open = 0;

  /** Number of listeners, including those that have not joined yet. */
  get count(): number {
    return this.#open;
  }

  open(resource: string, listener: SourceObserver): Listening {
    this.#open++;
    return { resource, listener, since: 0, isOver: false };
  }

  /** Delivers all further changes to this listener. */
  join(own: Listening): void {
    if (own.isOver) return;
    const joined = this.#joined.get(own.resource) ?? new Set();
    this.#joined.set(own.resource, joined.add(own));
  }

  end(own: Listening): void {
    if (own.isOver) return;
    own.isOver = true;
    this.#open--;
    this.#joined.get(own.resource)?.delete(own);
  }

  /** Delivers a change. Calls `message` only if there is a listener. */
  push(resource: string, offset: number, message: () => ChangeMessage): void {
    const joined = this.#joined.get(resource);
    if (joined === undefined || joined.size === 0) return;
    const made = message();
    for (const { listener, since } of joined) if (offset > since) listener.next(made);
  }

  pushAll(message: ChangeMessage): void {
    for (const joined of this.#joined.values()) {
      for (const own of joined) {
        own.since = 0;
        own.listener.next(message);
      }
    }
  }

  endAll(): void {
    for (const joined of this.#joined.values()) for (const own of joined) this.end(own);
  }
}
