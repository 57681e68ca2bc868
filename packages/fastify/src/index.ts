import { Readable } from "node:stream";
import {
  type AnyApi,
  attachUpgrade,
  createUpgradeHandler,
  type HttpResponse,
  isStream,
  type Route,
  toHttpRequest,
} from "@bifocal/core/adapter";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";

export interface BifocalOptions {
  readonly api: AnyApi;
  /** Where the API is mounted: `/api`. Default: at the root. */
  readonly prefix?: string;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/**
 * Serves an API as a Fastify plugin: its routes, its hooks and its parsers stay within the plugin. Closing the app ends
 * subscriptions first, then waits for the answers under way.
 *
 * @example await app.register(bifocal, { api, prefix: "/api" });
 */
export const bifocal: FastifyPluginAsync<BifocalOptions> = async (app, { api }) => {
  const { handle, routes } = api["~http"];
  const prefix = app.prefix.replace(/\/$/, "");

  // Bodies are read by the API, within its own limits and after it knows who asks.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const url = request.url.slice(prefix.length);
    const options = { url: url === "" ? "/" : url, prefix, id: request.id, raw: request };
    const answered = await handle(toHttpRequest(request.raw, reply.raw, options));
    return answered === null ? reply.callNotFound() : send(reply, answered);
  }

  for (const { path, methods } of routes) {
    const url = toFastifyPath(path);
    app.route({ method: [...methods] as HTTPMethods[], url, exposeHeadRoute: false, handler: answer });
    // A method that a path does not have is a 405 that says which ones it has.
    const others = METHODS.filter((method) => !methods.includes(method));
    if (others.length > 0) app.route({ method: others, url, exposeHeadRoute: false, handler: answer });
  }

  const upgrade = createUpgradeHandler(api, { prefix });
  attachUpgrade(app.server, upgrade);
  app.addHook("preClose", () => api.close());
};

/** `/books/{id}` → `/books/:id`; Fastify reads a colon in a path as a parameter unless it is doubled. */
function toFastifyPath(path: Route["path"]): string {
  return path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  reply.code(status).headers(headers);
  if (!isStream(body)) return reply.send(body ?? "");
  const stream = Readable.from(body, { objectMode: false });
  reply.raw.once("close", () => stream.destroy());
  return reply.send(stream);
}

export default bifocal;
