import { Readable } from "node:stream";
import {
  afterHead,
  type AnyApi,
  attachUpgrade,
  closeSilent,
  createUpgradeHandler,
  cutAfter,
  flushed,
  type HttpResponse,
  isStream,
  type Log,
  type LogDetails,
  originForm,
  type Route,
  toHttpRequest,
} from "@bifocal/core/adapter";
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from "fastify";
import { createRoutedUrl } from "./routed-url.ts";

export interface BifocalOptions {
  readonly api: AnyApi;
  /** Where the API is mounted: `/api`. Default: at the root. */
  readonly prefix?: string;
  /** Milliseconds after which closing the app closes the remaining connections. Default 10,000. */
  readonly closeTimeout?: number;
}

const CLOSE_TIMEOUT_MS = 10_000;
const BODY_TYPES = ["application/json", "application/merge-patch+json", "application/json-patch+json"];

/**
 * Serves an API as a Fastify plugin: its routes, its hooks and its parsers stay within the plugin. Closing the app ends
 * subscriptions first, then waits for the answers under way.
 *
 * @example await app.register(bifocal, { api, prefix: "/api" });
 */
export const bifocal: FastifyPluginAsync<BifocalOptions> = async (app, { api, closeTimeout = CLOSE_TIMEOUT_MS }) => {
  const { handle, routes } = api["~http"];
  const prefix = app.prefix.replace(/\/$/, "");
  if (/[:*]/.test(prefix)) {
    throw new Error(`The prefix '${prefix}' contains a parameter. Mount the API at a fixed path, such as '/api'.`);
  }

  const routedUrl = createRoutedUrl(app, prefix);

  // Without `logger` Fastify's own log keeps nothing, and failures must be kept somewhere.
  const isLogging = "level" in app.log;

  // Bodies are read by the API, within its own limits and after it knows who asks.
  app.removeAllContentTypeParsers();
  // By name as well: for what has no parser of its own Fastify takes the type apart at each request.
  for (const type of [...BODY_TYPES, "*"])
    app.addContentTypeParser(type, ({ raw }, _payload, done) => afterHead(raw, () => done(null)));

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> {
    const url = routedUrl(originForm(request.url));
    if (url === undefined) {
      reply.callNotFound();
      return reply;
    }
    const log = isLogging ? toLog(request.log) : undefined;
    const options = { url, prefix, id: request.id, log, raw: request };
    const respond = (answered: HttpResponse | null): FastifyReply => {
      if (answered !== null) return send(reply, answered);
      reply.callNotFound();
      return reply;
    };
    const answered = handle(toHttpRequest(request.raw, reply.raw, options));
    // Without a turn of the event loop where there is nothing to wait for.
    return answered instanceof Promise ? answered.then(respond) : respond(answered);
  }

  // Content that Fastify will not take is the API's to refuse: with its own words, after it knows who asks.
  app.setErrorHandler((error: Partial<FastifyError>, request, reply) => {
    const { code = "" } = error;
    const isContent = code.startsWith("FST_ERR_CTP_") || code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE";
    if (!isContent) throw error;
    return answer(request, reply);
  });

  // Whatever this Fastify can route at all.
  const all: readonly string[] = app.supportedMethods;
  const route = (url: string, methods: readonly string[]): void => {
    if (methods.length === 0) return;
    app.route({ method: [...methods] as HTTPMethods[], url, exposeHeadRoute: false, handler: answer });
  };
  for (const { path, methods } of routes) {
    route(toFastifyPath(path), methods);
    if (/[/].*[/]/.test(path)) continue;
    // What is none of these routes is still the API's to refuse: it says which methods and paths there are.
    route(
      toFastifyPath(path),
      all.filter((method) => !methods.includes(method)),
    );
    if (routes.some((other) => other.path.startsWith(`${path}/`))) route(`${toFastifyPath(path)}/*`, all);
  }

  const upgrade = createUpgradeHandler(api, { prefix });
  attachUpgrade(app.server, upgrade);
  app.addHook("preClose", async () => {
    const { pluginTimeout = CLOSE_TIMEOUT_MS } = app.initialConfig;
    // To Fastify it is a failure when closing takes longer than that; 0: as long as it likes.
    const most = pluginTimeout === 0 ? closeTimeout : Math.min(closeTimeout, pluginTimeout * 0.9);
    await Promise.race([api.close(), cutAfter(app.server, { timeout: most })]);
    await flushed(app.server);
    closeSilent(app.server);
  });
};

/** Details first, as Fastify's log takes them; causes where its serializer of errors looks for them. */
function toLog(log: FastifyBaseLogger): Log {
  const details = ({ cause, ...others }: LogDetails = {}): object =>
    cause === undefined ? others : { ...others, err: cause };
  return {
    info: (message, given) => log.info(details(given), message),
    warn: (message, given) => log.warn(details(given), message),
    error: (message, given) => log.error(details(given), message),
  };
}

/** `/books/{id}` → `/books/:id`; Fastify reads a colon in a path as a parameter unless it is doubled. */
function toFastifyPath(path: Route["path"]): string {
  return path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  reply.code(status);
  for (const name in headers) reply.header(lowerCase(name), headers[name]);
  if (!isStream(body)) {
    // To a type without a charset Fastify would add one, where the body is text.
    const isText = typeof body === "string" && headers["Content-Type"]?.includes("charset=") !== true;
    return reply.send(isText ? Buffer.from(body) : (body ?? undefined));
  }
  const stream = Readable.from(body, { objectMode: false });
  reply.raw.once("close", () => stream.destroy());
  return reply.send(stream);
}

const LOWER_CASE = new Map<string, string>();

/** The same text each time, which Fastify finds faster among its headers than a new one. The names are all ours. */
function lowerCase(name: string): string {
  let lower = LOWER_CASE.get(name);
  if (lower === undefined) LOWER_CASE.set(name, (lower = name.toLowerCase()));
  return lower;
}

export default bifocal;
