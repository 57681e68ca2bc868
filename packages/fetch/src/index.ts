import {
  type AnyApi,
  BifocalError,
  delayResponse,
  FetchSockets,
  fromFetchRequest,
  type HttpRequest,
  type HttpResponse,
  shouldDelay,
  mountProblem,
  serializeProblem,
  toFetchResponse,
} from "@bifocal/core/adapter";
import { checkApi, checkCallOptions, kindOf } from "@bifocal/core/internal";
import { clientAddress } from "./client-address.ts";
import type { SocketHost } from "./sockets/socket-host.ts";

export { type BunSockets, bunSockets, type BunWebSocketHandler } from "./sockets/bun-sockets.ts";
export { denoSockets } from "./sockets/deno-sockets.ts";
export type { SocketHost } from "./sockets/socket-host.ts";
export { workerdSockets } from "./sockets/workerd-sockets.ts";

export interface FetchHandlerOptions<Host extends readonly unknown[] = readonly unknown[]> {
  /** The path at which the API is mounted, such as `/api`. Default: the root. */
  readonly prefix?: string;
  /**
   * Returns the IP address of the client, by which anonymous callers are limited. By default it comes from `Bun.serve` or
   * `Deno.serve`. All clients without an address share one rate limit.
   */
  readonly address?: (request: Request, ...host: Host) => string | undefined;
  /** Accepts WebSockets for subscriptions, such as `denoSockets()`. Default: none. */
  readonly sockets?: SocketHost<Host>;
  /** Handles each request whose path is not part of the API. Default: responds with 404. */
  readonly fallback?: (request: Request, ...host: Host) => Response | Promise<Response>;
}

// workerd doesn't let a request resolve the promise of another one, and other runtimes may not either.
const HAS_DELAYS = /^(?:Node|Bun|Deno)\b/.test(globalThis.navigator?.userAgent ?? "");

interface Upgrades<Host extends readonly unknown[]> {
  readonly sockets: SocketHost<Host>;
  readonly of: FetchSockets;
}

/** Serves requests. Further arguments of the host are passed to `address` and `fallback`. */
export type FetchHandler<Host extends readonly unknown[]> = (
  request: Request,
  ...host: Host
) => Response | Promise<Response>;

/**
 * Serves an API on any host with `Request` and `Response`: Bun, Deno, workerd, Hono, Next.js, SvelteKit, Nitro.
 *
 * @throws {Error} if the prefix is not a valid path, such as `api` or `/api/`.
 * @example
 * Bun.serve({ fetch: fetchHandler(api, { prefix: "/api" }) });
 */
export function fetchHandler<Host extends readonly unknown[] = readonly unknown[]>(
  api: AnyApi,
  given: FetchHandlerOptions<Host> = {},
): FetchHandler<Host> {
  checkApi("fetchHandler", api);
  checkCallOptions("fetchHandler", given, {
    prefix: "a string",
    address: "a function",
    sockets: "an object",
    fallback: "a function",
  });
  const {
    prefix = "",
    address = (request: Request, ...host: Host) => clientAddress(request, host[0]),
    fallback,
    sockets,
  } = given;
  const problem = mountProblem(prefix);
  if (problem !== undefined) throw new Error(problem);
  const { handle, log } = api["~http"];
  const fail = (cause: unknown): void => log.error("A response could not be written.", { cause });
  const upgrades = sockets === undefined ? undefined : { sockets, of: new FetchSockets(api) };
  let isWarned = false;

  function respondElsewhere(request: Request, host: Host): Response | Promise<Response> {
    return fallback === undefined ? notFound(request, prefix) : fallBack(fallback, request, host);
  }

  const options = {
    prefix,
    address(request: Request, host: Host): string | undefined {
      // Without types, `headers.get(…)` may return null here.
      const found: unknown = address(request, ...host) ?? undefined;
      if (found !== undefined && typeof found !== "string")
        throw new TypeError(
          `'address' of fetchHandler() must return a string or undefined; received ${kindOf(found)}.`,
        );
      if (found === undefined && !isWarned) {
        isWarned = true;
        log.warn(
          "The host doesn't report the addresses of clients, so all anonymous clients share one rate limit. Set `address` in `fetchHandler`.",
        );
      }
      return found;
    },
  };

  function respond(found: HttpResponse | null, neutral: HttpRequest, host: Host): Response | Promise<Response> {
    if (found !== null) return HAS_DELAYS && shouldDelay(found) ? respondDelayed(found) : toFetchResponse(found, fail);
    return fallback === undefined
      ? toFetchResponse(api["~http"].notFound(neutral), fail)
      : fallBack(fallback, neutral.raw as Request, host);
  }

  function respondDelayed(found: HttpResponse): Promise<Response> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(toFetchResponse(found, fail));
        } catch (thrown) {
          reject(thrown);
        }
      };
      delayResponse({ run });
    });
  }

  async function respondLater(
    answer: Promise<HttpResponse | null>,
    neutral: HttpRequest,
    host: Host,
  ): Promise<Response> {
    return respond(await answer, neutral, host);
  }

  function upgrade({ of, sockets }: Upgrades<Host>, neutral: HttpRequest, host: Host): Response | Promise<Response> {
    const request = neutral.raw as Request;
    return of.upgrade(neutral, (subprotocol, events) => sockets.upgrade(request, subprotocol, events, ...host));
  }

  return (request, ...host) => {
    checkRequest(request);
    const neutral = fromFetchRequest<Host>(request, options, host);
    if (neutral === undefined) return respondElsewhere(request, host);
    if (upgrades?.of.matches(neutral) === true) return upgrade(upgrades, neutral, host);
    const answer = handle(neutral);
    // Stays synchronous if nothing has to be awaited.
    return answer instanceof Promise ? respondLater(answer, neutral, host) : respond(answer, neutral, host);
  };
}

function fallBack<Host extends readonly unknown[]>(
  fallback: NonNullable<FetchHandlerOptions<Host>["fallback"]>,
  request: Request,
  host: Host,
): Response | Promise<Response> {
  const found = fallback(request, ...host);
  return found instanceof Promise ? found.then(checkResponse) : checkResponse(found);
}

/** Throws a `TypeError` for a function that doesn't return what it has called. Hosts would report their own errors. */
function checkResponse(found: Response): Response {
  if (typeof found === "object" && found !== null) return found;
  throw new TypeError(`'fallback' of fetchHandler() must return a Response; received ${kindOf(found)}.`);
}

/** Throws a `TypeError` for the context of a framework, which has other members than `Request`. */
function checkRequest(request: unknown): void {
  const { headers, arrayBuffer } = (request ?? {}) as {
    readonly headers?: Partial<Headers>;
    readonly arrayBuffer?: unknown;
  };
  if (typeof headers?.get === "function" && typeof arrayBuffer === "function") return;
  throw new TypeError(
    `The function of fetchHandler() must receive a Request; received ${kindOf(request)}. Frameworks have it as a member, such as 'context.req.raw' in Hono and 'event.req' in Nitro. For Express, use expressRouter().`,
  );
}

function notFound(request: Request, prefix: string): Response {
  const error = new BifocalError("NOT_FOUND", `Nothing exists at this path. The API is at '${prefix}'.`);
  return toFetchResponse(serializeProblem(error, new URL(request.url).pathname), () => {});
}
