import type { ErrorCode, Issue } from "@bifocal/core";
import { BifocalError, isBifocalError } from "./client-error.ts";
import { codeOfStatus } from "./error-status.ts";
import { retryDelay, sleep } from "./retry.ts";

export type HeaderValues = Readonly<Record<string, string>>;

export interface TransportOptions {
  /** The URL at which the API is mounted, such as `https://example.com/api`. */
  readonly url: string;
  /** Headers of every request, such as `Authorization`. A function is called for each request. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>);
  /**
   * Called if a request fails with UNAUTHENTICATED, once for all requests that fail meanwhile. Each request is then
   * repeated once, with new `headers`.
   */
  readonly refresh?: () => unknown;
  /**
   * How often a failed request is repeated if it could succeed later. Writes then have an `Idempotency-Key`, so that they
   * are done once. Default: 0.
   */
  readonly retries?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface Request {
  readonly method: string;
  /** The path below `url`, with its query string. */
  readonly path: string;
  readonly headers?: HeaderValues | undefined;
  readonly cache?: RequestCache | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly isWrite?: boolean;
  /** Sends this request instead of `fetch`. */
  readonly send?: typeof fetch;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON. Undefined if the body is empty. */
  readonly body: unknown;
}

export interface Transport {
  /** Sends a request. `read` returns its result, or throws a `BifocalError` that may be retried. */
  readonly send: <T>(request: Request, read: (reply: Reply) => T | Promise<T>) => Promise<T>;
  /** Opens a response that isn't JSON. Throws a `BifocalError` for other statuses than 200. */
  readonly open: (request: Request) => Promise<Response>;
}

export function createTransport(options: TransportOptions): Transport {
  const { retries = 0, refresh } = options;
  const base = options.url.replace(/\/+$/, "");
  let refreshing: Promise<unknown> | undefined;

  async function request({
    method,
    path,
    headers,
    body,
    signal,
    cache,
    send = options.fetch ?? fetch,
  }: Request): Promise<Response> {
    const { headers: own } = options;
    const common = typeof own === "function" ? await own() : own;
    const type = body !== undefined && { "Content-Type": "application/json" };
    const init = {
      method,
      headers: { ...type, ...headers, ...common },
      body: JSON.stringify(body, writeValue),
      signal,
      cache,
    } as RequestInit;
    try {
      return await send(base + path, init);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new BifocalError("UNAVAILABLE", `The server at ${base} can't be reached.`, { cause });
    }
  }

  /** Repeats an attempt after a refresh, and as long as it could succeed later. */
  async function repeat<T>(sent: Request, read: (response: Response) => T | Promise<T>): Promise<T> {
    let isRefreshed = !refresh;
    for (let failures = 0; ; ) {
      const before = refreshing;
      try {
        return await read(await request(sent));
      } catch (thrown) {
        if (!isBifocalError(thrown)) throw thrown;
        if (thrown.code === "UNAUTHENTICATED" && !isRefreshed) {
          isRefreshed = true;
          // A refresh that began during the attempt also applies to it.
          if (refreshing === before) refreshing = Promise.resolve(refresh?.());
          await refreshing;
          continue;
        }
        const delay = retryDelay(thrown, failures);
        if (failures >= retries || delay === undefined) throw thrown;
        failures += 1;
        await sleep(delay, sent.signal);
      }
    }
  }

  return {
    async send(sent, read) {
      const key = sent.isWrite && retries > 0 && { "Idempotency-Key": `"${crypto.randomUUID()}"` };
      return repeat({ ...sent, headers: { ...sent.headers, ...key } }, async (response) =>
        read({ status: response.status, headers: response.headers, body: await readJson(response, sent) }),
      );
    },
    async open(sent) {
      return repeat(sent, async (response) => {
        if (response.status !== 200) throw errorOf(response, await readJson(response, sent));
        return response;
      });
    },
  };
}

/** JSON has no bigints; Bifocal sends them as strings of digits. */
function writeValue(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

async function readJson(response: Response, { signal }: Request): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new BifocalError("UNAVAILABLE", "The connection was lost.", { cause });
  });
  if (text === "") return undefined;
  const type = response.headers.get("Content-Type") ?? "no type";
  if (/[/+]json\b/.test(type)) {
    try {
      return JSON.parse(text);
    } catch {
      // Reported below.
    }
  }
  if (!response.ok) return undefined;
  throw new BifocalError("INTERNAL", `Expected JSON from ${response.url}, received ${type}. Check 'url'.`, {
    status: response.status,
  });
}

interface Problem {
  readonly code?: ErrorCode;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly Issue[];
  readonly requestId?: string;
}

/** Creates the error of a response: a problem (RFC 9457), or the response of something in front of the server. */
export function errorOf({ status, headers }: Pick<Reply, "status" | "headers">, body: unknown): BifocalError {
  const { code, title, detail, errors, requestId } = (body ?? {}) as Problem;
  const known: Record<string, string> = {};
  for (const name of ["Allow", "Retry-After", "WWW-Authenticate"]) {
    const value = headers.get(name);
    if (value !== null) known[name] = value;
  }
  const message = detail ?? title ?? `The server responded with ${status}.`;
  return new BifocalError(code ?? codeOfStatus(status), message, { issues: errors, headers: known, requestId, status });
}
