import type { Server } from "node:http";
import {
  type AnyApi,
  attachUpgrade,
  type CloseOptions,
  closeServer,
  createUpgradeHandler,
  keepTickShape,
  originForm,
  serveRequest,
  type UpgradeHandler,
} from "@bifocal/core/adapter";
import { checkApi, checkCallOptions } from "@bifocal/core/internal";
import { type NextFunction, type Request, type Response, Router } from "express";

export { type CloseOptions, SERVER_OPTIONS } from "@bifocal/core/adapter";

/** A Router for `app.use`, with the upgrade handler that subscriptions over WebSocket need. */
export interface BifocalRouter extends Router {
  /**
   * Handles upgrades for this API. Returns `false` if an upgrade is for another handler. `prefix` is the mount path of
   * the router.
   */
  readonly upgrade: (options?: { readonly prefix?: string }) => UpgradeHandler;
  /** Passes all upgrades of a server to `upgrade`. */
  readonly attach: (server: Server, options?: { readonly prefix?: string }) => void;
  /** Ends subscriptions with 1012, completes running responses, and closes the server. */
  readonly close: (server: Server, options?: CloseOptions) => Promise<void>;
}

export interface ExpressRouterOptions {
  /**
   * Whether the API responds with a 404 to paths that it doesn't have, as a page if the client accepts HTML. Default: false, so
   * that they are passed to `next`.
   */
  readonly notFound?: boolean;
}

/**
 * Mounts an API in an Express app, as a router. Earlier middleware can run before it. Unknown paths and errors outside the API
 * are passed to `next`.
 *
 * @example
 * const router = expressRouter(api);
 * const server = app.use("/api", router).listen(3000);
 * router.attach(server, { prefix: "/api" });
 */
export function expressRouter(api: AnyApi, options: ExpressRouterOptions = {}): BifocalRouter {
  checkApi("expressRouter", api);
  checkCallOptions("expressRouter", options, { notFound: "true or false" });
  const { notFound = false } = options;
  keepTickShape();

  function answer(request: Request, response: Response, next: NextFunction): void {
    serveRequest(api, request, response, {
      options() {
        // `body` is set if a parser ran before; the stream has then been read.
        const body: unknown = request.readableEnded ? request.body : undefined;
        const own = { url: originForm(request.url), prefix: request.baseUrl };
        if (body === undefined) return own;
        // `express.text()` and `express.raw()` don't parse it.
        if (typeof body === "string") return { ...own, bytes: Buffer.from(body) };
        return body instanceof Uint8Array ? { ...own, bytes: body } : { ...own, parsedBody: body };
      },
      fallback: (respond) => (notFound ? respond() : next()),
      fail: (thrown) => next(thrown),
      // Express adds this header unless it is removed.
      beforeWrite: () => response.removeHeader("X-Powered-By"),
    });
  }

  const router = Router();
  router.use(answer);
  const upgrade = (options: { readonly prefix?: string } = {}): UpgradeHandler => createUpgradeHandler(api, options);
  const attach: BifocalRouter["attach"] = (server, options) => attachUpgrade(server, upgrade(options));
  return Object.assign(router, {
    upgrade,
    attach,
    close: (server: Server, options?: CloseOptions) => closeServer(api, server, options),
  });
}
