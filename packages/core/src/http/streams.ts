import type { HttpResponse } from "./message.ts";

/** The event streams that are open, so that a shutdown can end them. */
export interface Streams {
  readonly track: (response: HttpResponse) => HttpResponse;
  readonly endAll: () => Promise<void>;
}

export function createStreams(): Streams {
  const open = new Set<AsyncIterator<string>>();
  return {
    track(response) {
      const { body } = response;
      if (body === null || typeof body === "string" || body instanceof Uint8Array) return response;
      return { ...response, body: tracked(body) };
    },
    async endAll() {
      for (const iterator of open) await iterator.return?.();
    },
  };

  function tracked(body: AsyncIterable<string>): AsyncIterable<string> {
    return {
      [Symbol.asyncIterator]() {
        const iterator = body[Symbol.asyncIterator]();
        open.add(iterator);
        return {
          async next() {
            const result = await iterator.next();
            if (result.done === true) open.delete(iterator);
            return result;
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
