import { EventStream } from "../message/event-stream.ts";
import { type HttpResponse, isStream } from "../message/message.ts";

/**
 * Tracks response bodies that are written in pieces: event streams, which never end by themselves, and lists, which do.
 */
export class Streams {
  /** Once true, each response closes its connection. */
  isClosing = false;
  readonly #events = new Set<EventStream>();
  readonly #lists = new Set<AsyncIterator<string>>();
  #isEnding = false;

  /**
   * Tracks the body of a response. Must be called once at the end of each response whose body is written in pieces, and
   * of every response while `isClosing`.
   */
  finish(unmarked: HttpResponse): HttpResponse {
    // A response that is sent while the API closes is the last one on its connection (RFC 9112 §9.6).
    const response = this.isClosing ? { ...unmarked, headers: { ...unmarked.headers, Connection: "close" } } : unmarked;
    const { body } = response;
    if (body instanceof EventStream) {
      this.#trackEvents(body);
      return response;
    }
    return isStream(body) ? { ...response, body: this.#trackList(body) } : response;
  }

  /** Ends all open event streams, and each one that is opened later. */
  endEvents(): void {
    this.#isEnding = true;
    for (const stream of this.#events) void stream.return();
  }

  /** Whether a list is still being written. */
  get isBusy(): boolean {
    return this.#lists.size > 0;
  }

  #trackEvents(stream: EventStream): void {
    this.#events.add(stream);
    stream.whenRead(() => this.#events.delete(stream));
    if (this.#isEnding) void stream.return();
  }

  #trackList(body: AsyncIterable<string>): AsyncIterable<string> {
    const lists = this.#lists;
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
