import { type HttpResponse, isStream } from "../../message/message.ts";
import { keptInit } from "./kept-init.ts";

/** Converts a neutral response. A stream is read at the pace of the client, until the client disconnects. */
export function toFetchResponse(response: HttpResponse, onFailure: (thrown: unknown) => void): Response {
  const { body } = response;
  // The types of `Response` don't include every kind of Uint8Array.
  const content = isStream(body) ? toReadable(body, onFailure) : (body as string | Uint8Array<ArrayBuffer> | null);
  return new Response(content, keptInit(response));
}

function toReadable(body: AsyncIterable<string>, onFailure: (thrown: unknown) => void): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let isCanceled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next();
          // A canceled stream can't be closed.
          if (isCanceled) return;
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (thrown) {
          // Its client has disconnected.
          if (isCanceled) return;
          // The client sees that the response is incomplete.
          controller.error(thrown);
          onFailure(thrown);
        }
      },
      async cancel() {
        isCanceled = true;
        await iterator.return?.();
      },
    },
    // Reads nothing ahead of the client.
    { highWaterMark: 0 },
  );
}
