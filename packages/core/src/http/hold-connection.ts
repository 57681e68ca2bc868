import type { Caller } from "../operation/run.ts";
import type { CallerConnections } from "./caller-connections.ts";
import type { HttpResponse } from "./message.ts";
import { isEventStream } from "./streams.ts";

/** Counts an event stream for its caller until it ends. Throws RATE_LIMITED, and ends it, where there are too many. */
export function holdConnection(
  response: HttpResponse,
  { principal }: Pick<Caller, "principal">,
  connections: CallerConnections,
): HttpResponse {
  const { body } = response;
  if (principal === null || body === null || typeof body === "string" || body instanceof Uint8Array) return response;
  if (!isEventStream(response)) return response;
  let release: () => void;
  try {
    release = connections.open(principal);
  } catch (thrown) {
    void body[Symbol.asyncIterator]().return?.();
    throw thrown;
  }
  return { ...response, body: held(body, release) };
}

function held(body: AsyncIterable<string>, release: () => void): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await iterator.next();
          if (result.done === true) release();
          return result;
        },
        async return() {
          release();
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
