import type { StoreContext } from "@bifocal/core/store";

const EVERY = 50;

/** A statement that runs. */
export interface Running {
  readonly context: StoreContext;
  /** Called once when its operation is given up. */
  readonly stop: () => void;
}

interface Kept extends Running {
  /** Ticks that it has seen. */
  age: number;
  listening: boolean;
}

/**
 * Stops statements whose operations are given up. Most are done before that can matter, so a signal, which costs more than
 * a short statement, is only looked at for those that have run for a while.
 */
export class LateSignals {
  readonly #running = new Set<Kept>();
  #timer: NodeJS.Timeout | undefined;

  /** Returns what to call when the statement is done. */
  watch(running: Running): () => void {
    const kept: Kept = { ...running, age: 0, listening: false };
    this.#running.add(kept);
    this.#timer ??= setInterval(() => this.#tick(), EVERY).unref();
    return () => {
      this.#running.delete(kept);
      if (kept.listening) kept.context.signal?.removeEventListener("abort", kept.stop);
    };
  }

  #tick(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const kept of this.#running) {
      if (kept.listening || kept.age++ === 0) continue;
      const { signal } = kept.context;
      kept.listening = true;
      if (signal?.aborted === true) kept.stop();
      else signal?.addEventListener("abort", kept.stop, { once: true });
    }
  }
}
