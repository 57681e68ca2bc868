import { randomUUID } from "node:crypto";
import { authenticate } from "../auth/authenticate.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { maskError } from "../engine/mask-error.ts";
import type { Graphql } from "../graphql/graphql.ts";
import { serializeRefusal } from "../graphql/transport/serialize-result.ts";
import type { Caller, Run } from "../operation/run.ts";
import type { Rest } from "../rest/rest.ts";
import type { Log } from "../util/log.ts";
import type { Cors } from "./cors.ts";
import type { HttpRequest, HttpResponse } from "./message.ts";

export interface HandlerOptions {
  readonly rest: Rest;
  readonly graphql: Graphql;
  readonly run: Run;
  readonly authenticators: readonly Authenticator[];
  readonly log: Log;
  readonly cors: Cors | undefined;
  /** Settled once the stores are open. */
  readonly ready: () => Promise<void> | undefined;
}

export type Handle = (request: HttpRequest) => Promise<HttpResponse | null>;

export const GRAPHQL_PATH = "/graphql";
export const GRAPHQL_METHODS: readonly string[] = ["GET", "POST", "PUT", "DELETE", "OPTIONS"];

/** Answers one request in the style that its path asks for; `null` where the path is none of ours. */
export function createHandler(options: HandlerOptions): Handle {
  const { rest, graphql, run, authenticators, log, cors } = options;
  const segments = new Set(rest.routes.map(({ path }) => path.split("/")[1]));
  const challenge = authenticators.map((one) => one.challenge).join(", ") || "Bearer";

  return async (request) => {
    const isGraphql = request.path === GRAPHQL_PATH;
    if (!isGraphql && !segments.has(firstSegment(request.path))) return null;
    if (cors === undefined) return answer(request, isGraphql);
    const preflight = cors.preflight(request, isGraphql ? GRAPHQL_METHODS : rest.methodsAt(request.path));
    if (preflight !== undefined) return preflight;
    const response = await answer(request, isGraphql);
    return response === null ? null : cors.decorate(request, response);
  };

  async function answer(request: HttpRequest, isGraphql: boolean): Promise<HttpResponse | null> {
    const caller = new RequestCaller(request);
    let response: HttpResponse | null;
    try {
      const ready = options.ready();
      if (ready !== undefined) await ready;
      if (authenticators.length > 0) caller.principal = await authenticate(authenticators, request);
      const context = { run, caller };
      response = isGraphql ? await graphql.handle(request, context) : await rest.handle(request, context);
    } catch (thrown) {
      const error = maskError(thrown, caller, log);
      response = isGraphql ? serializeRefusal(error) : rest.problem(error, request);
    }
    if (response?.status !== 401 || hasHeader(response, "www-authenticate")) return response;
    return { ...response, headers: { ...response.headers, "WWW-Authenticate": challenge } };
  }
}

class RequestCaller implements Caller {
  principal: Caller["principal"] = null;
  readonly #request: HttpRequest;
  #id: string | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
    this.#id = request.id;
  }

  get log(): Log | undefined {
    return this.#request.log;
  }

  /** The request makes it when it is looked at. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  readonly requestId = (): string => (this.#id ??= randomUUID());
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

function hasHeader({ headers }: HttpResponse, name: string): boolean {
  return Object.keys(headers).some((known) => known.toLowerCase() === name);
}
