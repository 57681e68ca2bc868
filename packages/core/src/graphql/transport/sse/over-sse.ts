import { BifocalError, isBifocalError } from "../../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../../message/message.ts";
import { EventStream } from "../../../message/event-stream.ts";
import { createChargeMore } from "../../../limits/charge.ts";
import { SOCKET_COST } from "../../../limits/cost.ts";
import type { RateLimiter } from "../../../limits/rate-limiter.ts";
import type { Executor } from "../executor.ts";
import type { MediaType } from "../media-type.ts";
import { EVENT_STREAM } from "../../../message/event-stream.ts";
import { JSON_TYPE } from "../../../message/json-type.ts";
import { noteMalformed } from "../../meter.ts";
import { type BodyRules, readRequest } from "../parameters.ts";
import { prepare, type PreparedOperation, type PrepareRules, type Unprepared } from "../prepare.ts";
import { type Answering, serializeRefusal } from "../serialize-result.ts";
import { createSingleConnections, TOKEN_HEADER } from "./single-connections.ts";
import { type SseContext, SseOperation } from "./sse-operation.ts";

export interface OverSseOptions extends PrepareRules, BodyRules {
  readonly executor: Executor;
  readonly answering: Answering;
  readonly limiter: RateLimiter | undefined;
}

const TOKEN_IN_HEADER =
  "Send the token of an event stream in 'X-GraphQL-Event-Stream-Token'. Only the request that opens the stream can have it in the URL.";

/** Whether a request to `/graphql` uses the graphql-sse protocol, in either of its modes. */
export function isSseRequest(request: HttpRequest, accepted: MediaType | undefined): boolean {
  const { method } = request;
  if (method === "PUT" || method === "DELETE") return true;
  return (
    (method === "GET" || method === "POST") &&
    ((tokenInHeader(request) ?? tokenInUrl(request)) !== undefined || accepted === EVENT_STREAM)
  );
}

/**
 * Implements server-sent events: one stream per operation, or one reserved stream for many operations (graphql-sse
 * PROTOCOL.md). The token is accepted in the URL only to open a stream, because `EventSource` sends no headers.
 * Otherwise a link could start an operation.
 */
export function createOverSse(
  options: OverSseOptions,
): (request: HttpRequest, context: SseContext, accepted: MediaType | undefined) => Promise<HttpResponse> {
  const { executor, limits, answering, limiter } = options;
  const connections = createSingleConnections(options);
  const charge = createChargeMore(limiter);

  return async (request, context, accepted) => {
    try {
      if (request.method === "PUT") {
        await charge(context.caller, SOCKET_COST);
        return connections.reserve(context.caller);
      }
      const token = tokenInHeader(request);
      const inUrl = tokenInUrl(request);
      const isStream = request.method !== "DELETE" && accepted === EVENT_STREAM;
      if (isStream) {
        const opened = token ?? inUrl;
        return opened === undefined
          ? await distinct(request, context)
          : streamed(connections.open(opened, context.caller));
      }
      if (inUrl !== undefined) throw new BifocalError("BAD_REQUEST", TOKEN_IN_HEADER);
      if (request.method === "DELETE") return connections.stop(token, context.caller, operationIdOf(request));
      if (request.method !== "POST") {
        const message = "Operations of a reserved event stream must be sent by POST.";
        throw new BifocalError("METHOD_NOT_ALLOWED", message, { headers: { Allow: "POST" } });
      }
      // Check the token before parsing the document, so that only the owner of the stream sees errors in it.
      connections.check(token, context.caller);
      return connections.execute(token, await ask(request), context);
    } catch (thrown) {
      noteMalformed(thrown, context.caller);
      if (isBifocalError(thrown)) return serializeRefusal(thrown, JSON_TYPE, answering.status);
      throw thrown;
    }
  };

  async function ask(request: HttpRequest): Promise<PreparedOperation | Unprepared> {
    const prepared = prepare(await readRequest(request, options), options);
    if ("errors" in prepared || prepared.kind !== "mutation" || request.method !== "GET") return prepared;
    throw new BifocalError("METHOD_NOT_ALLOWED", "Mutations must be sent by POST.", { headers: { Allow: "POST" } });
  }

  /**
   * Sends the errors of a rejected document on the stream, because a client that reads events sees no other response.
   */
  async function distinct(request: HttpRequest, context: SseContext): Promise<HttpResponse> {
    const prepared = await ask(request);
    const stream = new EventStream({ mostWaiting: limits.subscriptions.queuedBytes, onClose: () => operation.stop() });
    const operation = new SseOperation(executor, stream, {
      id: undefined,
      onEnd: () => stream.end(),
      // The stream carries nothing else.
      onOverflow: (event) => stream.replace(event),
    });
    void operation.run(prepared, context);
    return streamed(stream);
  }
}

function streamed(body: EventStream): HttpResponse {
  const headers = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    // Proxies that buffer complete responses would never pass a stream on.
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, headers, body };
}

function tokenInHeader({ headers }: HttpRequest): string | undefined {
  const header = headers[TOKEN_HEADER];
  return header === undefined ? undefined : String(header);
}

function tokenInUrl({ query }: HttpRequest): string | undefined {
  return query.includes("token=") ? (new URLSearchParams(query).get("token") ?? undefined) : undefined;
}

function operationIdOf({ query }: HttpRequest): string | null {
  return new URLSearchParams(query).get("operationId");
}
