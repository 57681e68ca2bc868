import type { IncomingMessage, ServerResponse } from "node:http";
import { EventStream } from "../../message/event-stream.ts";
import { type HttpResponse, isStream } from "../../message/message.ts";
import type { AnyApi } from "../any-api.ts";
import { sendTogether } from "./send-together.ts";
import { toHttpRequest, type ToHttpRequestOptions } from "./to-http-request.ts";

export interface ServeRequestOptions {
  /** Called after the head of the request has been read. */
  readonly options: (request: IncomingMessage) => ToHttpRequestOptions;
  /** Called if the path is not part of the API. `respond` sends the API's own 404. */
  readonly fallback: (respond: () => void, request: IncomingMessage, response: ServerResponse) => void;
  /** Called with errors while the response is created or written. */
  readonly fail: (thrown: unknown, response: ServerResponse) => void;
  /** Called before the response is written. */
  readonly beforeWrite?: (() => void) | undefined;
}

/** Serves one request of Node's server, for adapters that use Node's requests and responses. */
export function serveRequest(
  api: AnyApi,
  request: IncomingMessage,
  response: ServerResponse,
  serving: ServeRequestOptions,
): void {
  if (isHeadAlone(request)) serveNow(api, request, response, serving);
  else process.nextTick(serveNow, api, request, response, serving);
}

function serveNow(api: AnyApi, request: IncomingMessage, response: ServerResponse, serving: ServeRequestOptions): void {
  const fail = (thrown: unknown): void => serving.fail(thrown, response);
  const send = (answer: HttpResponse): void => {
    try {
      writeHttpResponse(answer, response)?.catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
  const write = (answer: HttpResponse | null): void => {
    if (answer !== null) {
      serving.beforeWrite?.();
      sendTogether(answer, response, send);
      return;
    }
    const respond = (): void =>
      write(api["~http"].notFound(toHttpRequest(request, response, serving.options(request))));
    serving.fallback(respond, request, response);
  };
  try {
    const answer = api["~http"].handle(toHttpRequest(request, response, serving.options(request)));
    // Stay synchronous if nothing has to be awaited.
    if (answer instanceof Promise) answer.then(write).catch(fail);
    else write(answer);
  } catch (thrown) {
    fail(thrown);
  }
}

/**
 * Continues once the body can be read, if it arrived together with the head: Node's parser passes it on right after the
 * head. `readBody` can then return it synchronously.
 */
export function afterHead(request: IncomingMessage, next: () => void): void {
  if (isHeadAlone(request)) next();
  else process.nextTick(next);
}

function isHeadAlone({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined;
}

/**
 * Writes a neutral response. A stream is written in pieces at the pace of the client, until the client disconnects.
 * Rejects if the stream fails.
 */
export function writeHttpResponse(answer: HttpResponse, response: ServerResponse): Promise<void> | undefined {
  const { status, headers, body } = answer;
  if (body instanceof EventStream) {
    writeEvents(status, headers, body, response);
    return undefined;
  }
  if (typeof body !== "string" && isStream(body)) return writeStream(status, headers, body, response);
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
  // `once` would allocate a wrapper for each of thousands of streams.
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
    // After an error, the response stays open for the caller to destroy, so that a partial list doesn't look complete.
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
  // Node writes a flat list without copying it.
  const list: (string | number)[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  if (body === null) {
    response.writeHead(status, list).end();
    return;
  }
  const length = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  list.push("Content-Length", length);
  response.writeHead(status, list);
  // Pure ASCII text has the same bytes in Latin-1, which Node copies without checking.
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
