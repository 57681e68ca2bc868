import { LinkedList, type Link } from "@bifocal/core/internal";
import type { StoreContext } from "@bifocal/core/store";

/** Milliseconds. To cancel a statement, a server opens two connections: that of the request, and one that replaces the statement's. */
const EVERY = 100;

/** Milliseconds that a server has to react to a cancel request. After that, the connection is destroyed. */
export const CANCEL_TIMEOUT_MS = 1_000;

export interface WatchedStatement {
  readonly context: StoreContext;
  /** Called once when the operation is aborted. */
  readonly stop: () => void;
}

/**
 * Stops statements whose operations were aborted. Listening to an abort signal costs more than a short statement, so
 * the signals are polled, and only those of statements that have run for a while.
 */
export class LateSignals {
  readonly #watches = new LinkedList<Watch>();
  #timer: NodeJS.Timeout | undefined;

  /** Call `end` on the result when the statement has finished. */
  watch(running: WatchedStatement): Watch {
    const watch = new Watch(running, this.#watches);
    this.#timer ??= setInterval(() => this.#tick(), EVERY).unref();
    return watch;
  }

  #tick(): void {
    for (const watch of this.#watches.values()) watch.tick();
    if (this.#watches.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

class Watch {
  readonly #running: WatchedStatement;
  readonly #all: LinkedList<Watch>;
  readonly #link: Link<Watch>;
  #age = 0;
  #listens = false;

  constructor(running: WatchedStatement, all: LinkedList<Watch>) {
    this.#running = running;
    this.#all = all;
    this.#link = all.add(this);
  }

  tick(): void {
    if (this.#listens || this.#age++ === 0) return;
    this.#listens = true;
    const { context, stop } = this.#running;
    if (context.signal?.aborted === true) stop();
    else context.signal?.addEventListener("abort", stop, { once: true });
  }

  end(): void {
    this.#all.remove(this.#link);
    const { context, stop } = this.#running;
    if (this.#listens) context.signal?.removeEventListener("abort", stop);
  }
}
