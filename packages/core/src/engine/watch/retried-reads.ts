import { setTimeout as sleep } from "node:timers/promises";
import { isBifocalError } from "../../errors/bifocal-error.ts";

/** Milliseconds between two attempts: the first pause and the longest. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [100, 2_000];
/** Milliseconds without a successful read after which changes are dropped. */
const MAX_OUTAGE_MS = 30_000;

/**
 * Retries reads with increasing pauses while the store is unavailable. After a short outage, each subscriber receives
 * every change, and no client has to read everything again.
 */
export class RetriedReads {
  #failingSince: number | undefined;

  /** Throws the error of `read` once the outage is too long. Returns undefined as soon as `isWanted` returns false. */
  async run<T>(read: () => Promise<T>, isWanted: () => boolean): Promise<T | undefined> {
    for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        const result = await read();
        this.#failingSince = undefined;
        return result;
      } catch (thrown) {
        if (!isTransient(thrown)) throw thrown;
        this.#failingSince ??= performance.now();
        if (performance.now() - this.#failingSince > MAX_OUTAGE_MS) throw thrown;
      }
      await sleep(pause / 2 + (Math.random() * pause) / 2, undefined, { ref: false });
      if (!isWanted()) return undefined;
    }
  }
}

/** A network failure can look like a slow store, so timeouts count too. */
function isTransient(thrown: unknown): boolean {
  if (isBifocalError(thrown)) return thrown.code === "UNAVAILABLE" || thrown.code === "TIMEOUT";
  return thrown instanceof Error && thrown.name === "TimeoutError";
}
