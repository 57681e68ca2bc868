import { EVENT_STREAM } from "../util/event-stream.ts";
import type { Log } from "../util/log.ts";
import type { HttpResponse } from "./message.ts";

/** The bodies that are written piece by piece: event streams, which have no end of their own, and lists, which have one. */
export interface Streams {
  readonly track: (response: HttpResponse) => HttpResponse;
  /** Ends the event streams that are open, and each that is opened from now on. */
  readonly endEvents: () => void;
  /** Whether a list is not complete yet, or an event stream is still being ended. */
  readonly isBusy: () => boolean;
}

export function isEventStream({ headers }: Pick<HttpResponse, "headers">): boolean {
  return headers["Content-Type"]?.startsWith(EVENT_STREAM) === true;
}

export function createStreams(log: Log): Streams {
  const events = new Set<AsyncIterator<string>>();
  const lists = new Set<AsyncIterator<string>>();
  let isEnding = false;
  let ending = 0;
  return {
    track(response) {
      const { body } = response;
      if (body === null || typeof body === "string" || body instanceof Uint8Array) return response;
      return { ...response, body: tracked(body, isEventStream(response) ? events : lists) };
    },
    endEvents() {
      isEnding = true;
      for (const iterator of events) void end(iterator);
    },
    isBusy: () => lists.size > 0 || ending > 0,
  };

  async function end(iterator: AsyncIterator<string>): Promise<void> {
    ending++;
    try {
      await iterator.return?.();
    } catch (cause) {
      log.error("An event stream could not be ended.", { cause });
    } finally {
      ending--;
    }
  }

  function tracked(body: AsyncIterable<string>, open: Set<AsyncIterator<string>>): AsyncIterable<string> {
    return {
      [Symbol.asyncIterator]() {
        const iterator = body[Symbol.asyncIterator]();
        open.add(iterator);
        if (isEnding && open === events) void end(iterator);
        return {
          async next() {
            let isMore = false;
            try {
              const result = await iterator.next();
              isMore = result.done !== true;
              return result;
            } finally {
              if (!isMore) open.delete(iterator);
            }
          },
          async return() {
            open.delete(iterator);
            await iterator.return?.();
            return { done: true, value: undefined };
          },
        };
      },
    };
  }
}
