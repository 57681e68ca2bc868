import { setTimeout as sleep } from "node:timers/promises";
import { isBifocalError } from "../../errors/bifocal-error.ts";

/** Milliseconds between two attempts: the first pause and the longest. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 2_000];
/** Milliseconds without a successful read after which changes are given up. */
const LONGEST_OUTAGE = 30_000;

/**
 * Reads again while the store is unavailable, with longer and longer pauses: after a short outage each subscriber gets
 * every change, and no client has to read again what it holds.
 */
export class RetriedReads {
  #failingSince: number | undefined;

  /** Throws what `read` throws once the outage is too long. Undefined as soon as the result `isWanted` no longer. */
  async run<T>(read: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      try {
        const result = await read();
        this.#failingSince = undefined;
        return result;
      } catch (thrown) {
        if (!isTransient(thrown)) throw thrown;
        this.#failingSince ??= performance.now();
        if (performance.now() - this.#failingSince > LONGEST_OUTAGE) throw thrown;
      }
      await sleep(pause / 2 + (Math.random() * pause) / 2, undefined, { ref: false });
      if (!isWanted()) return undefined;
    }
  }
}

/** Unavailable, or too slow: a network that carries nothing looks like a slow store. */
function isTransient(thrown: unknown): boolean {
  if (isBifocalError(thrown)) return thrown.code === "UNAVAILABLE" || thrown.code === "TIMEOUT";
  return thrown instanceof Error && thrown.name === "TimeoutError";
}
