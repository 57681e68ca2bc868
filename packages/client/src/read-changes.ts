import { openEventStream } from "./open-event-stream.ts";
import type { SharedFunctions } from "./shared-functions.ts";
import type { WatchParts, WatchQuery } from "./watch.ts";

const FIRST_DELAY_MS = 500;

/** Yields the changes of a connection, and reconnects after it was lost. */
export async function* readChanges(
  parts: WatchParts & SharedFunctions,
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<object, void> {
  const { watch: open = openEventStream } = parts;
  let { after, initial = false } = query;
  let isOpened = false;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const received = await open(parts, { ...query, after, initial, signal });
      // Without the id of an event, the server can't tell what this client missed.
      if (isOpened && after === undefined && !initial) yield { kind: "reset", id: "" };
      isOpened = true;
      query.opened?.();
      for await (const { id, change } of received) {
        failures = 0;
        if (id !== undefined) {
          after = id;
          initial = false;
        }
        if (change !== undefined) yield change;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      if (parts.isBifocalError(thrown) ? !parts.isTransient(thrown.code) : !(thrown instanceof TypeError)) throw thrown;
    }
    // An abort ends the loop.
    await parts.sleep(parts.backoff(failures++, FIRST_DELAY_MS), signal).catch(() => {});
  }
}
