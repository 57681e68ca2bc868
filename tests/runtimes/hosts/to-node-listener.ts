import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** Serves GET requests of Node with a function from `Request` to `Response`. */
export function toNodeListener(
  respond: (request: Request) => Response | Promise<Response>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void (async () => {
      const { status, headers, body } = await respond(new Request(`http://127.0.0.1${request.url}`));
      response.writeHead(status, Object.fromEntries(headers));
      if (body === null) response.end();
      else await pipeline(Readable.fromWeb(body as ReadableStream), response);
    })().catch(() => response.destroy());
  };
}
