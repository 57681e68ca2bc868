import type { Observer } from "../../../operation/observer.ts";
import type { BifocalError } from "../../../errors/bifocal-error.ts";
import { waitForDrain } from "../../../util/drain-signal.ts";

/** The events of a subscription: changes of rows, or the events of a host's own field. */
export interface EventSource {
  readonly listen: (listener: Observer<object>) => void;
  readonly return: () => unknown;
}

/** Logs an error of the host's code and returns one that the caller may see. */
type Mask = (thrown: unknown) => BifocalError;

/**
 * Wraps the source that graphql-js opened. A source of Bifocal supports listeners; any other one is read until it ends.
 */
export function toEventSource(opened: AsyncIterable<unknown>, mask: Mask): EventSource {
  if ("listen" in opened) return opened as AsyncIterable<unknown> & EventSource;
  const iterator = opened[Symbol.asyncIterator]();
  return {
    listen: (listener) => void readAll(iterator, listener, mask),
    return: async () => {
      try {
        await iterator.return?.();
      } catch (thrown) {
        mask(thrown);
      }
    },
  };
}

async function readAll(iterator: AsyncIterator<unknown>, listener: Observer<object>, mask: Mask): Promise<void> {
  try {
    for (let result = await iterator.next(); result.done !== true; result = await iterator.next()) {
      listener.next(result.value as object);
      await waitForDrain(listener.drain?.());
    }
    listener.end(undefined);
  } catch (thrown) {
    listener.end(mask(thrown));
  }
}
