import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  afterHead,
  type AnyApi,
  attachUpgrade,
  type CloseOptions,
  closeServer,
  createUpgradeHandler,
  type HttpResponse,
  BifocalError,
  originForm,
  serializeProblem,
  toHttpRequest,
  type UpgradeHandler,
  writeHttpResponse,
} from "@bifocal/core/adapter";

export { type CloseOptions, SERVER_OPTIONS } from "@bifocal/core/adapter";

export interface NodeHttpOptions {
  /** Where the API is mounted: `/api`. Default: at the root. */
  readonly prefix?: string;
  /** Answers every request that is none of the API's. Default: 404. */
  readonly otherwise?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A listener for `http.createServer`, with the upgrade handler that subscriptions over WebSocket need. */
export interface NodeHttpListener {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Takes an upgrade for this API; `false`: it is somebody else's. */
  readonly upgrade: UpgradeHandler;
  /** Lets all upgrades of a server pass through `upgrade`. */
  readonly attach: (server: Server) => void;
  /** Ends subscriptions with 1012, completes the answers under way, and closes the server. */
  readonly close: (server: Server, options?: CloseOptions) => Promise<void>;
}

/**
 * Serves an API by Node's own server.
 *
 * @example
 * const listener = nodeHttp(api);
 * listener.attach(createServer(listener).listen(3000));
 */
export function nodeHttp(api: AnyApi, { prefix = "", otherwise = notFound }: NodeHttpOptions = {}): NodeHttpListener {
  const { handle, log } = api["~http"];
  const upgrade = createUpgradeHandler(api, { prefix });

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = originForm(request.url ?? "/");
    const isOurs = prefix === "" || url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`);
    const fail = (thrown: unknown): void => {
      log.error("An answer could not be written.", { cause: thrown });
      response.destroy();
    };
    const write = (answered: HttpResponse | null): void => {
      if (answered === null) otherwise(request, response);
      else writeHttpResponse(answered, response)?.catch(fail);
    };
    if (!isOurs) {
      otherwise(request, response);
      return;
    }
    afterHead(request, () => {
      try {
        const answered = handle(toHttpRequest(request, response, { url: url.slice(prefix.length), prefix }));
        // Without a turn of the event loop where there is nothing to wait for.
        if (answered instanceof Promise) answered.then(write).catch(fail);
        else write(answered);
      } catch (thrown) {
        fail(thrown);
      }
    });
  }

  const listener = answer;
  return Object.assign(listener, {
    upgrade,
    attach: (server: Server) => attachUpgrade(server, upgrade),
    close: (server: Server, options?: CloseOptions) => closeServer(api, server, options),
  });
}

function notFound({ url = "/" }: IncomingMessage, response: ServerResponse): void {
  const error = new BifocalError("NOT_FOUND", "There is nothing at this path.");
  void writeHttpResponse(serializeProblem(error, url.split("?", 1)[0]), response);
}
