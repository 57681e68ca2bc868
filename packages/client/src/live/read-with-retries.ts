import { isBifocalError } from "../client-error.ts";
import { backoff, isTransient, sleep } from "../retry.ts";

const FIRST_DELAY_MS = 500;

/** Repeats a read while the server can't be reached, as `watch` does. */
export async function readWithRetries<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await read();
    } catch (thrown) {
      if (!isBifocalError(thrown) || !isTransient(thrown.code)) throw thrown;
      await sleep(backoff(failures, FIRST_DELAY_MS), signal);
    }
  }
}
