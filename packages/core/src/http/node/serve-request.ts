import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpResponse } from "../../message/message.ts";
import type { AnyApi } from "../any-api.ts";
import { toHttpRequest, type ToHttpRequestOptions } from "./to-http-request.ts";
import { writeHttpResponse } from "./write-http-response.ts";

export interface ServeRequestOptions {
  /** Called after the head of the request has been read. */
  readonly options: () => ToHttpRequestOptions;
  /** Called if the path is not part of the API. */
  readonly fallback: () => void;
  /** Called with errors while the response is created or written. */
  readonly fail: (thrown: unknown) => void;
  /** Called before the response is written. */
  readonly beforeWrite?: (() => void) | undefined;
}

/** Serves one request of Node's server, for adapters that use Node's requests and responses. */
export function serveRequest(
  api: AnyApi,
  request: IncomingMessage,
  response: ServerResponse,
  { options, fallback, fail, beforeWrite }: ServeRequestOptions,
): void {
  const write = (answer: HttpResponse | null): void => {
    if (answer === null) {
      fallback();
      return;
    }
    beforeWrite?.();
    writeHttpResponse(answer, response)?.catch(fail);
  };
  afterHead(request, () => {
    try {
      const answer = api["~http"].handle(toHttpRequest(request, response, options()));
      // Stay synchronous if nothing has to be awaited.
      if (answer instanceof Promise) answer.then(write).catch(fail);
      else write(answer);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/**
 * Continues once the body can be read, if it arrived together with the head: Node's parser passes it on right after the
 * head. `readBody` can then return it synchronously.
 */
export function afterHead({ headers }: IncomingMessage, next: () => void): void {
  if (headers["content-length"] === undefined) next();
  else process.nextTick(next);
}
