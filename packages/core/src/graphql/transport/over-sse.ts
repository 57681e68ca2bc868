import { execute, type ExecutionResult, getOperationAST, GraphQLError, subscribe } from "graphql";
import { createHandler, type Handler, type Request, type Response } from "graphql-sse";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { CONTEXT_KEY, contextOf, type ExecutionContext } from "../context.ts";
import { withCost } from "../meter.ts";
import { EVENT_STREAM, JSON_TYPE, negotiate } from "./media-type.ts";
import type { HandleGraphql, OverHttpOptions } from "./over-http.ts";
import { observeExecution } from "./observe-execution.ts";
import { checkParameters, type Parameters, parseParameters } from "./parameters.ts";
import { createReservations } from "./reservations.ts";
import { formatResult, serializeRefusal } from "./serialize-result.ts";

const TOKEN_HEADER = "x-graphql-event-stream-token";

interface SseContext {
  readonly execution: ExecutionContext;
  readonly request: HttpRequest;
  /** Of a reserved stream, to which the operations of other requests send their results. */
  readonly token: string | null;
  /** What is asked for, or why it cannot be; absent where a stream is opened for what is asked for later. */
  readonly asked?: Parameters | GraphQLError;
}

type SseRequest = Request<HttpRequest, SseContext>;

/** Whether a request at `/graphql` speaks the graphql-sse protocol, in either of its modes. */
export function isSseRequest(request: HttpRequest): boolean {
  const { method, headers } = request;
  if (method === "PUT" || method === "DELETE") return true;
  return (
    (method === "GET" || method === "POST") &&
    (tokenOf(request) !== null || negotiate(headers["accept"]) === EVENT_STREAM)
  );
}

/** Server-sent events: a stream for each operation, or one reserved stream for many (graphql-sse PROTOCOL.md). */
export function createOverSse(options: OverHttpOptions): HandleGraphql {
  const { schema, checkDocument, answering, telemetry } = options;
  const handler: Handler<HttpRequest, SseContext> = createHandler<HttpRequest, SseContext, Record<string, unknown>>({
    execute: observeExecution(telemetry, execute),
    subscribe: observeExecution(telemetry, subscribe),
    // `onSubscribe` has validated already, through the documents that all transports share.
    validate: () => [],
    authenticate: ({ context }) => context.token,
    context: ({ context }) => ({ [CONTEXT_KEY]: context.execution }),
    onNext: (context, _request, result) =>
      formatResult(withCost(result as ExecutionResult, contextOf(context)), answering),
    onSubscribe: (request, params) => {
      const { asked = checkParameters(params, options) } = request.context;
      if (asked instanceof GraphQLError) return refuse(request.context, { errors: [asked] });
      const { query, operationName, variables } = asked;
      const checked = checkDocument(query);
      if (checked.errors !== undefined) return refuse(request.context, { errors: checked.errors });
      const kind = getOperationAST(checked.document, operationName)?.operation;
      if (kind === "mutation" && request.context.request.method === "GET") return [null, NOT_BY_GET];
      const contextValue = { [CONTEXT_KEY]: lasting(request.context, kind === "subscription") };
      const names = { operationName: operationName ?? null, variableValues: variables ?? null };
      return { schema, document: checked.document, ...names, contextValue };
    },
  });
  const reservations = createReservations((token) => void giveUp(handler, token));

  return async (request, execution) => {
    try {
      const token = request.method === "PUT" ? reservations.reserve() : tokenOf(request);
      const isStream = negotiate(request.headers["accept"]) === EVENT_STREAM;
      if (token !== null && isStream) reservations.opened(token);
      const { method } = request;
      const isAsking = method === "POST" || (method === "GET" && !(token !== null && isStream));
      const asked = isAsking ? await ask(request) : undefined;
      const answer = await handler({
        // What is asked by GET is read here as well, with documents that are named by an id.
        method: isAsking ? "POST" : method,
        // The library takes what stands between the first two question marks for the query.
        url: `${request.path}?${request.query.replaceAll("?", "%3F")}`,
        headers: {
          get: (name) => {
            if (name === "accept") return isStream ? EVENT_STREAM : "*/*";
            return name === "content-type" && isAsking ? JSON_TYPE : headerOf(request, name);
          },
        },
        body: asked instanceof GraphQLError ? { query: "" } : asked === undefined ? null : { ...asked },
        raw: request,
        context: { execution, request, token, ...(asked === undefined ? {} : { asked }) },
      });
      return toHttpResponse(answer, request.signal);
    } catch (thrown) {
      if (isBifocalError(thrown)) return serializeRefusal(thrown, JSON_TYPE, answering.status);
      throw thrown;
    }
  };

  async function ask(request: HttpRequest): Promise<Parameters | GraphQLError> {
    try {
      return await parseParameters(request, options);
    } catch (thrown) {
      if (thrown instanceof GraphQLError) return thrown;
      throw thrown;
    }
  }

  /** A refused document is the one result of a stream of its own, and a plain 400 where the stream is another request's. */
  function refuse({ token }: SseContext, result: ExecutionResult): Response | AsyncGenerator<ExecutionResult> {
    if (token === null) {
      return (async function* once() {
        yield result;
      })();
    }
    const headers = { "content-type": "application/json; charset=utf-8" };
    return [JSON.stringify(formatResult(result, answering)), { status: 400, statusText: "Bad Request", headers }];
  }
}

const NOT_BY_GET = { status: 405, statusText: "Method Not Allowed", headers: { allow: "POST" } };

/** A subscription lasts as long as its stream, not as long as one operation may take. */
function lasting({ execution, request, token }: SseContext, isSubscription: boolean): ExecutionContext {
  if (token !== null) return { ...execution, caller: { ...execution.caller, signal: undefined } };
  if (!isSubscription) return execution;
  return { ...execution, caller: { ...execution.caller, signal: request.signal } };
}

async function giveUp(handler: Handler<HttpRequest, SseContext>, token: string): Promise<void> {
  const opened = { method: "GET", url: "/", headers: { get: () => EVENT_STREAM }, body: null, context: { token } };
  const [body] = await handler(opened as unknown as SseRequest);
  if (body !== null && typeof body !== "string") await body.return();
}

function tokenOf(request: HttpRequest): string | null {
  const header = headerOf(request, TOKEN_HEADER);
  if (header !== null) return header;
  return request.query.includes("token=") ? new URLSearchParams(request.query).get("token") : null;
}

function headerOf({ headers }: HttpRequest, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value);
}

function toHttpResponse([body, init]: Response, signal: AbortSignal): HttpResponse {
  const headers: Record<string, string> = { "cache-control": "no-store", ...init.headers };
  // `connection` is the business of the server, and `none` is no content coding (RFC 9110 §8.4.1).
  delete headers["connection"];
  delete headers["content-encoding"];
  if (body !== null && typeof body !== "string") {
    headers["cache-control"] = "no-cache, no-transform";
    headers["x-accel-buffering"] = "no";
    const end = (): void => void body.return();
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  }
  return { status: init.status, headers, body };
}
