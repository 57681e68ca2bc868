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
  keepTickShape,
  type Log,
  type LogDetails,
  originForm,
  type Route,
  sendTogether,
  toHttpRequest,
} from "@bifocal/core/adapter";
import { checkApi, checkCallOptions, type CallOptionKinds } from "@bifocal/core/internal";
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  RegisterOptions,
} from "fastify";
import { createRoutedUrl } from "./routed-url.ts";

export { FASTIFY_OPTIONS } from "./fastify-options.ts";

export interface BifocalOptions {
  readonly api: AnyApi;
  /** The path at which the API is mounted, such as `/api`. Default: the root. */
  readonly prefix?: string;
  /**
   * Whether the API responds with a 404 to paths that it doesn't have, as a page if the client accepts HTML. Default: false, so
   * that Fastify responds.
   */
  readonly notFound?: boolean;
  /** Milliseconds after which closing the app closes the remaining connections. Default: 10,000. */
  readonly closeTimeout?: number;
}

/** Those of Fastify are passed to the plugin, too. */
const OPTIONS: CallOptionKinds<BifocalOptions & RegisterOptions> = {
  api: true,
  prefix: "a string",
  notFound: "true or false",
  closeTimeout: "a number of at least 0",
  logLevel: true,
  logSerializers: true,
};

const CLOSE_TIMEOUT_MS = 10_000;
const BODY_TYPES = ["application/json", "application/merge-patch+json", "application/json-patch+json"];

/**
 * Mounts an API in a Fastify app, as a plugin. Its routes, hooks and parsers stay within the plugin. Closing the app ends
 * subscriptions first, then waits for running responses.
 *
 * @example await app.register(bifocal, { api, prefix: "/api" });
 */
export const bifocal: FastifyPluginAsync<BifocalOptions> = async (app, options) => {
  // `app.register(bifocal({ api }))` calls the plugin without options.
  checkApi("register", (options as BifocalOptions | undefined)?.api);
  const { api, notFound = false, closeTimeout = CLOSE_TIMEOUT_MS } = options;
  checkCallOptions<BifocalOptions & RegisterOptions>("register", options, OPTIONS);
  keepTickShape();
  const { handle, routes } = api["~http"];
  const prefix = app.prefix.replace(/\/$/, "");
  if (/[:*]/.test(prefix)) {
    throw new Error(`The prefix '${prefix}' contains a parameter. Mount the API at a fixed path, such as '/api'.`);
  }

  const routedUrl = createRoutedUrl(app, prefix);

  // Without `logger`, Fastify's own log discards everything, so the API uses its own log.
  const isLogging = "level" in app.log;

  // The API reads bodies itself, within its own limits and after authentication.
  app.removeAllContentTypeParsers();
  // Also registered by name, because Fastify parses the type of each request that has no parser of its own.
  for (const type of [...BODY_TYPES, "*"])
    app.addContentTypeParser(type, ({ raw }, _payload, done) => afterHead(raw, () => done(null)));

  /** Returns nothing, so that Fastify has nothing to wait for. */
  function answer(request: FastifyRequest, reply: FastifyReply): undefined {
    const url = routedUrl(originForm(request.url));
    if (url === undefined) {
      reply.callNotFound();
      return undefined;
    }
    const log = isLogging ? toLog(request.log) : undefined;
    const options = { url, prefix, id: request.id, log, raw: request };
    const respond = (answered: HttpResponse | null): void => {
      if (answered === null) reply.callNotFound();
      else sendTogether(answered, reply, sendOrFail);
    };
    const answered = handle(toHttpRequest(request.raw, reply.raw, options));
    // Stays synchronous if nothing has to be awaited.
    if (answered instanceof Promise) answered.then(respond).catch((thrown: unknown) => fail(reply, thrown));
    else respond(answered);
    return undefined;
  }

  if (notFound) {
    app.setNotFoundHandler((request, reply) => {
      const url = originForm(request.url).slice(prefix.length);
      return send(reply, api["~http"].notFound(toHttpRequest(request.raw, reply.raw, { url, prefix, id: request.id })));
    });
  }

  // The API itself rejects content types that Fastify does not accept, with its own error and after authentication.
  app.setErrorHandler((error: Partial<FastifyError>, request, reply) => {
    const { code = "" } = error;
    const isContent = code.startsWith("FST_ERR_CTP_") || code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE";
    if (!isContent) throw error;
    return answer(request, reply);
  });

  // All methods that this Fastify instance can route.
  const all: readonly string[] = app.supportedMethods;
  const route = (url: string, methods: readonly string[]): void => {
    if (methods.length === 0) return;
    app.route({ method: [...methods] as HTTPMethods[], url, exposeHeadRoute: false, handler: answer });
  };
  for (const { path, methods } of routes) route(toFastifyPath(path), methods);
  // The API also handles other methods and paths, with an error that lists the supported ones.
  for (const top of new Set(routes.map(({ path }) => topOf(path)))) {
    const own = routes.find(({ path }) => path === top)?.methods;
    if (own !== undefined)
      route(
        toFastifyPath(top),
        all.filter((method) => !own.includes(method)),
      );
    if (routes.some(({ path }) => path.startsWith(`${top}/`))) route(`${toFastifyPath(top)}/*`, all);
  }

  const upgrade = createUpgradeHandler(api, { prefix });
  attachUpgrade(app.server, upgrade);
  app.addHook("preClose", async () => {
    const { pluginTimeout = CLOSE_TIMEOUT_MS } = app.initialConfig;
    // Fastify reports an error if closing takes longer than `pluginTimeout`; 0 disables this timeout.
    const most = pluginTimeout === 0 ? closeTimeout : Math.min(closeTimeout, pluginTimeout * 0.9);
    await Promise.race([api.close(), cutAfter(app.server, { timeout: most })]);
    await flushed(app.server);
    closeSilent(app.server);
  });
};

/** Adapts Fastify's log, which takes details first. Causes go to `err`, which Fastify's error serializer expects. */
function toLog(log: FastifyBaseLogger): Log {
  const details = ({ cause, ...others }: LogDetails = {}): object =>
    cause === undefined ? others : { ...others, err: cause };
  return {
    info: (message, given) => log.info(details(given), message),
    warn: (message, given) => log.warn(details(given), message),
    error: (message, given) => log.error(details(given), message),
  };
}

/** Returns the first segment of a path, such as `/books`. */
function topOf(path: string): string {
  return path.split("/", 2).join("/");
}

/** Converts `/books/{id}` to `/books/:id`. Colons are doubled, because Fastify reads a single one as a parameter. */
function toFastifyPath(path: Route["path"]): string {
  return path.replaceAll(":", "::").replaceAll(/\{(\w+)\}/g, ":$1");
}

function sendOrFail(answered: HttpResponse, reply: FastifyReply): void {
  try {
    send(reply, answered);
  } catch (thrown) {
    fail(reply, thrown);
  }
}

function fail(reply: FastifyReply, thrown: unknown): void {
  reply.send(thrown instanceof Error ? thrown : new Error("The response could not be sent.", { cause: thrown }));
}

function send(reply: FastifyReply, { status, headers, body }: HttpResponse): FastifyReply {
  reply.code(status);
  for (const name in headers) reply.header(lowerCase(name), headers[name]);
  if (!isStream(body)) {
    // Fastify would add a charset to a type without one if the body is a string.
    const isText = typeof body === "string" && headers["Content-Type"]?.includes("charset=") !== true;
    return reply.send(isText ? Buffer.from(body) : (body ?? undefined));
  }
  const stream = Readable.from(body, { objectMode: false });
  reply.raw.once("close", () => stream.destroy());
  return reply.send(stream);
}

const LOWER_CASE = new Map<string, string>();

/** Caches the lower-case names, because Fastify finds an identical string faster. All names come from Bifocal. */
function lowerCase(name: string): string {
  let lower = LOWER_CASE.get(name);
  if (lower === undefined) LOWER_CASE.set(name, (lower = name.toLowerCase()));
  return lower;
}

export default bifocal;
