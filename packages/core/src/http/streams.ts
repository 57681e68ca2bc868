import { EventStream } from "../message/event-stream.ts";
import type { HttpResponse } from "../message/message.ts";

/**
 * Tracks response bodies that are written in pieces: event streams, which never end by themselves, and lists, which do.
 */
export interface Streams {
  readonly track: (response: HttpResponse) => HttpResponse;
  /** Ends all open event streams, and each one that is opened later. */
  readonly endEvents: () => void;
  /** Whether a list is still being written. */
  readonly isBusy: () => boolean;
}

export function createStreams(): Streams {
  const events = new Set<EventStream>();
  const lists = new Set<AsyncIterator<string>>();
  let isEnding = false;
  return {
    track(response) {
      const { body } = response;
      if (body instanceof EventStream) {
        trackEvents(body);
        return response;
      }
      if (body === null || typeof body === "string" || body instanceof Uint8Array) return response;
      return { ...response, body: trackList(body) };
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
