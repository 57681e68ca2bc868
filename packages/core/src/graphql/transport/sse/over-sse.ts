import { BifocalError, isBifocalError } from "../../../errors/bifocal-error.ts";
import type { HttpRequest, HttpResponse } from "../../../http/message.ts";
import { EventStream } from "../../../util/event-stream.ts";
import type { ExecutionContext } from "../../context.ts";
import type { Executor } from "../executor.ts";
import { EVENT_STREAM, JSON_TYPE, negotiate } from "../media-type.ts";
import type { HandleGraphql } from "../over-http.ts";
import { readRequest } from "../parameters.ts";
import { prepare, type Prepared, type PrepareRules, type Unprepared } from "../prepare.ts";
import { type Answering, serializeRefusal } from "../serialize-result.ts";
import { createSingleConnections, TOKEN_HEADER } from "./single-connections.ts";
import { SseOperation } from "./sse-operation.ts";

export interface OverSseOptions extends PrepareRules {
  readonly executor: Executor;
  readonly answering: Answering;
}

/** Whether a request at `/graphql` speaks the graphql-sse protocol, in either of its modes. */
export function isSseRequest(request: HttpRequest): boolean {
  const { method, headers } = request;
  if (method === "PUT" || method === "DELETE") return true;
  return (
    (method === "GET" || method === "POST") &&
    (tokenOf(request) !== undefined || negotiate(headers["accept"]) === EVENT_STREAM)
  );
}

/** Server-sent events: a stream for each operation, or one reserved stream for many (graphql-sse PROTOCOL.md). */
export function createOverSse(options: OverSseOptions): HandleGraphql {
  const { executor, limits, answering } = options;
  const connections = createSingleConnections(options);

  return async (request, context) => {
    try {
      const isStream = negotiate(request.headers["accept"]) === EVENT_STREAM;
      const token = tokenOf(request);
      if (request.method === "PUT") return connections.reserve();
      if (request.method === "DELETE") return connections.stop(token, operationIdOf(request));
      if (token === undefined) return await distinct(request, context);
      if (isStream) return streamed(connections.open(token));
      return connections.execute(token, await ask(request), context);
    } catch (thrown) {
      if (isBifocalError(thrown)) return serializeRefusal(thrown, JSON_TYPE, answering.status);
      throw thrown;
    }
  };

  async function ask(request: HttpRequest): Promise<Prepared | Unprepared> {
    const prepared = prepare(await readRequest(request, limits), options);
    if ("errors" in prepared || prepared.kind !== "mutation" || request.method !== "GET") return prepared;
    throw new BifocalError("METHOD_NOT_ALLOWED", "A mutation is sent by POST.", { headers: { Allow: "POST" } });
  }

  /** A refused document is the one result of its stream: who reads events could not see it elsewhere. */
  async function distinct(request: HttpRequest, context: ExecutionContext): Promise<HttpResponse> {
    const prepared = await ask(request);
    const stream = new EventStream({ mostWaiting: limits.queuedBytes, onClose: () => operation.stop() });
    const operation = new SseOperation(executor, stream, {
      id: undefined,
      onEnd: () => stream.end(),
      // There is nothing on this stream besides.
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
    // Proxies that collect an answer before they pass it on would keep it for ever.
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
  };
  return { status: 200, headers, body };
}

function tokenOf({ headers, query }: HttpRequest): string | undefined {
  const header = headers[TOKEN_HEADER];
  if (header !== undefined) return String(header);
  return query.includes("token=") ? (new URLSearchParams(query).get("token") ?? undefined) : undefined;
}

function operationIdOf({ query }: HttpRequest): string | null {
  return new URLSearchParams(query).get("operationId");
}
