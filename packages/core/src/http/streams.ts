import { EventStream } from "../message/event-stream.ts";
import type { HttpResponse } from "../message/message.ts";

/**
 * Tracks response bodies that are written in pieces: event streams, which never end by themselves, and lists, which do.
 */
export interface Streams {
  /** Tracks the body of a response. Must be called once for each response, at the end. */
  readonly finish: (response: HttpResponse) => HttpResponse;
  /** From now on, each response closes its connection. */
  readonly closeConnections: () => void;
  /** Ends all open event streams, and each one that is opened later. */
  readonly endEvents: () => void;
  /** Whether a list is still being written. */
  readonly isBusy: () => boolean;
}

export function createStreams(): Streams {
  const events = new Set<EventStream>();
  const lists = new Set<AsyncIterator<string>>();
  let isEnding = false;
  let isClosing = false;
  return {
    finish(unmarked) {
      // A response that is sent while the API closes is the last one on its connection (RFC 9112 §9.6).
      const response = isClosing ? { ...unmarked, headers: { ...unmarked.headers, Connection: "close" } } : unmarked;
      const { body } = response;
      if (body instanceof EventStream) {
        trackEvents(body);
        return response;
      }
      if (body === null || typeof body === "string" || body instanceof Uint8Array) return response;
      return { ...response, body: trackList(body) };
    },
    closeConnections() {
      isClosing = true;
    },
    endEvents() {
      isEnding = true;
      for (const stream of events) void stream.return();
    },
    isBusy: () => lists.size > 0,
  };

  function trackEvents(stream: EventStream): void {
    events.add(stream);
    stream.whenRead(() => events.delete(stream));
    if (isEnding) void stream.return();
  }

  function trackList(body: AsyncIterable<string>): AsyncIterable<string> {
    return {
      [Symbol.asyncIterator]() {
        const iterator = body[Symbol.asyncIterator]();
        lists.add(iterator);
        return {
          async next() {
            let isMore = false;
            try {
              const result = await iterator.next();
              isMore = result.done !== true;
              return result;
            } finally {
              if (!isMore) lists.delete(iterator);
            }
          },
          async return() {
            lists.delete(iterator);
            await iterator.return?.();
            return { done: true, value: undefined };
          },
        };
      },
    };
  }
}
