import { EventStream } from "../message/event-stream.ts";
import type { HttpResponse } from "../message/message.ts";

/** The bodies that are written piece by piece: event streams, which have no end of their own, and lists, which have one. */
export interface Streams {
  readonly track: (response: HttpResponse) => HttpResponse;
  /** Ends the event streams that are open, and each that is opened from now on. */
  readonly endEvents: () => void;
  /** Whether a list is not complete yet. */
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
