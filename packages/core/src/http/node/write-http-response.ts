import type { ServerResponse } from "node:http";
import { EventStream } from "../../message/event-stream.ts";
import { type HttpResponse, isStream } from "../../message/message.ts";

/** Writes the neutral response; a stream piece by piece, at the pace of the client, until it goes. Rejects where the stream breaks. */
export function writeHttpResponse(answer: HttpResponse, response: ServerResponse): Promise<void> | undefined {
  const { status, headers, body } = answer;
  if (body instanceof EventStream) {
    writeEvents(status, headers, body, response);
    return undefined;
  }
  if (isStream(body)) return writeStream(status, headers, body, response);
  if (!response.destroyed) writeWhole(status, headers, body, response);
  return undefined;
}

function writeEvents(
  status: number,
  headers: HttpResponse["headers"],
  body: EventStream,
  response: ServerResponse,
): void {
  if (response.destroyed) {
    void body.return();
    return;
  }
  response.writeHead(status, headers);
  // `once` would keep a wrapper for each of thousands.
  response.on("close", () => void body.return());
  response.flushHeaders();
  body.pipe(response);
}

async function writeStream(
  status: number,
  headers: HttpResponse["headers"],
  body: AsyncIterable<string>,
  response: ServerResponse,
): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  if (response.destroyed) {
    await iterator.return?.();
    return;
  }
  response.writeHead(status, headers);
  response.once("close", () => void iterator.return?.());
  response.flushHeaders();
  for (;;) {
    // What breaks here leaves the answer open, for its owner to cut: half a list must not look like a whole one.
    const { done, value } = await iterator.next();
    if (done === true || response.destroyed) break;
    if (!response.write(value)) await drained(response);
  }
  response.end();
}

function writeWhole(
  status: number,
  headers: HttpResponse["headers"],
  body: string | Uint8Array | null,
  response: ServerResponse,
): void {
  // A flat list, which Node writes as it is.
  const list: (string | number)[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  if (body === null) {
    response.writeHead(status, list).end();
    return;
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  list.push("Content-Length", length);
  response.writeHead(status, list);
  // Text without any character beyond ASCII is the same bytes in Latin-1, which Node copies without looking.
  response.end(body, length === body.length ? "latin1" : "utf8");
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.on("drain", done).on("close", done);
  });
}
