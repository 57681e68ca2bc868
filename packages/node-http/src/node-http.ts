import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  type AnyApi,
  attachUpgrade,
  type CloseOptions,
  closeServer,
  createUpgradeHandler,
  BifocalError,
  keepTickShape,
  originForm,
  serializeProblem,
  serveRequest,
  type ServeRequestOptions,
  type UpgradeHandler,
  writeHttpResponse,
} from "@bifocal/core/adapter";
import { checkApi, checkCallOptions } from "@bifocal/core/internal";

export interface NodeHttpOptions {
  /** The path at which the API is mounted, such as `/api`. Default: the root. */
  readonly prefix?: string;
  /** Handles each request whose path is not part of the API. Default: responds with a 404, as a page if the client accepts HTML. */
  readonly fallback?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A listener for `http.createServer`, with the upgrade handler that subscriptions over WebSocket need. */
export interface NodeHttpListener {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Handles upgrades for this API. Returns `false` if an upgrade is for another handler. */
  readonly upgrade: UpgradeHandler;
  /** Passes all upgrades of a server to `upgrade`. */
  readonly attach: (server: Server) => void;
  /** Ends subscriptions with 1012, completes running responses, and closes the server. */
  readonly close: (server: Server, options?: CloseOptions) => Promise<void>;
}

/**
 * Mounts an API on Node's own server.
 *
 * @example
 * const listener = nodeHttp(api);
 * listener.attach(createServer(listener).listen(3000));
 */
export function nodeHttp(api: AnyApi, options: NodeHttpOptions = {}): NodeHttpListener {
  checkApi("nodeHttp", api);
  checkCallOptions("nodeHttp", options, { prefix: "a string", fallback: "a function" });
  const { prefix = "", fallback } = options;
  keepTickShape();
  const { log } = api["~http"];
  const upgrade = createUpgradeHandler(api, { prefix });
  /** Shared by all requests. */
  const serving: ServeRequestOptions = {
    options: (request) => ({ url: urlOf(request).slice(prefix.length), prefix }),
    fallback: (respond, request, response) => (fallback === undefined ? respond() : fallback(request, response)),
    fail(thrown, response) {
      log.error("A response could not be written.", { cause: thrown });
      response.destroy();
    },
  };

  function listener(request: IncomingMessage, response: ServerResponse): void {
    const url = urlOf(request);
    const isOurs = prefix === "" || url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`);
    if (!isOurs) {
      if (fallback === undefined) notFound(request, response, prefix);
      else fallback(request, response);
      return;
    }
    serveRequest(api, request, response, serving);
  }

  return Object.assign(listener, {
    upgrade,
    attach: (server: Server) => attachUpgrade(server, upgrade),
    close: (server: Server, options?: CloseOptions) => closeServer(api, server, options),
  });
}

function urlOf({ url = "/" }: IncomingMessage): string {
  return originForm(url);
}

function notFound({ url = "/" }: IncomingMessage, response: ServerResponse, prefix: string): void {
  const error = new BifocalError("NOT_FOUND", `Nothing exists at this path. The API is at '${prefix}'.`);
  void writeHttpResponse(serializeProblem(error, url.split("?", 1)[0]), response);
}
