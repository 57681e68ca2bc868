import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpRequest } from "../message.ts";
import { readBody } from "./read-body.ts";

export interface ToHttpRequestOptions {
  /** Path and query within the mount, as it came. */
  readonly url: string;
  /** What stands before it in the URL: `/api`, or empty. */
  readonly prefix: string;
  /** What another parser made of the body. */
  readonly parsedBody?: unknown;
  /** The host's own id of the request. */
  readonly id?: string | undefined;
  /** The framework's request. Default: Node's. */
  readonly raw?: unknown;
}

/** Node's request as the neutral one. Its `signal` aborts when the client goes before the answer is complete. */
export function toHttpRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { url, prefix, parsedBody, id, raw = request }: ToHttpRequestOptions,
): HttpRequest {
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  let controller: AbortController | undefined;
  return {
    method: request.method ?? "GET",
    path: path === "" ? "/" : path,
    query: mark < 0 ? "" : url.slice(mark + 1),
    headers: request.headers,
    prefix,
    body: (limit) => readBody(request, limit),
    ...(parsedBody === undefined ? {} : { parsedBody }),
    ...(id === undefined ? {} : { id }),
    // Made when somebody looks at it: most answers are there before anybody could go.
    get signal() {
      if (controller === undefined) {
        const made = new AbortController();
        controller = made;
        if (response.destroyed && !response.writableFinished) made.abort();
        response.once("close", () => {
          if (!response.writableFinished) made.abort();
        });
      }
      return controller.signal;
    },
    raw,
  };
}
