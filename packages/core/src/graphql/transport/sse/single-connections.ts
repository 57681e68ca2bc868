import { randomUUID } from "../../../runtime/crypto.ts";
import type { GraphQLFormattedError } from "graphql";
import { BifocalError } from "../../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../../message/message.ts";
import { callerKey } from "../../../operation/caller-key.ts";
import type { Caller } from "../../../operation/run.ts";
import type { Limits } from "../../../limits/limits.ts";
import { EventStream } from "../../../message/event-stream.ts";
import type { Executor } from "../executor.ts";
import type { PreparedOperation, Unprepared } from "../prepare.ts";
import { Reservations } from "./reservations.ts";
import { type SseContext, SseOperation } from "./sse-operation.ts";

export const TOKEN_HEADER = "x-graphql-event-stream-token";

const RESERVATION_TIMEOUT_MS = 30_000;
/** Maximum number of reservations of all callers. */
const MAX_RESERVATIONS = 10_000;
const ID_LENGTH = 128;

/** One stream for the operations of many requests. */
interface SingleConnection {
  readonly stream: EventStream;
  readonly operations: Map<string, SseOperation>;
  /** Digest of the client that reserved the stream. Only this client may use it. */
  readonly owner: string | undefined;
  /** The key by which reservations are counted. */
  readonly caller: string;
  /** Runs until the stream is opened. */
  timer: NodeJS.Timeout | undefined;
}

export interface SingleConnections {
  /** Responds with a token for a stream, which must be opened within 30 seconds. */
  readonly reserve: (caller: Caller) => HttpResponse;
  /** Throws NOT_FOUND if the token is unknown or belongs to another client. */
  readonly check: (token: string | undefined, caller: Caller) => void;
  /** Throws NOT_FOUND like `check`, and CONFLICT if the stream is open. */
  readonly open: (token: string, caller: Caller) => EventStream;
  /** Starts an operation whose results go to the stream. */
  readonly execute: (
    token: string | undefined,
    prepared: PreparedOperation | Unprepared,
    context: SseContext,
  ) => HttpResponse;
  readonly stop: (token: string | undefined, caller: Caller, operationId: string | null) => HttpResponse;
}

/**
 * Creates the streams of graphql-sse's "single connection mode" (PROTOCOL.md). A stream belongs to the client that
 * reserved it: its operations run with the rights of the client that sends them, so their results must not reach
 * another client.
 */
export function createSingleConnections(options: {
  readonly executor: Executor;
  readonly limits: Limits;
}): SingleConnections {
  const { executor, limits } = options;
  const connections = new Map<string, SingleConnection>();
  const reservations = new Reservations(limits.subscriptions.reservedStreams);

  function close(token: string): void {
    const connection = connections.get(token);
    if (connection === undefined) return;
    connections.delete(token);
    clearWait(token, connection);
    for (const operation of connection.operations.values()) operation.stop();
    connection.operations.clear();
  }

  function clearWait(token: string, connection: SingleConnection): void {
    if (connection.timer === undefined) return;
    clearTimeout(connection.timer);
    connection.timer = undefined;
    reservations.delete(connection.caller, token);
  }

  function find(token: string | undefined, caller: Caller): SingleConnection {
    const connection = token === undefined ? undefined : connections.get(token);
    if (connection === undefined || connection.owner !== caller.clientDigest?.()) {
      throw new BifocalError("NOT_FOUND", "Unknown event stream.");
    }
    return connection;
  }

  return {
    reserve(caller) {
      const key = callerKey(caller);
      const oldest = key === undefined ? undefined : reservations.oldestBeyond(key);
      if (oldest !== undefined) void connections.get(oldest)?.stream.return();
      if (reservations.size >= MAX_RESERVATIONS) {
        const headers = { "Retry-After": String(RESERVATION_TIMEOUT_MS / 1000) };
        throw new BifocalError(
          "UNAVAILABLE",
          "Too many reserved event streams are waiting to be opened. Try again later.",
          { headers },
        );
      }
      const token = randomUUID();
      const stream = new EventStream({ mostWaiting: limits.subscriptions.queuedBytes, onClose: () => close(token) });
      const timer = setTimeout(() => void stream.return(), RESERVATION_TIMEOUT_MS).unref();
      reservations.add(key ?? "", token);
      const owner = caller.clientDigest?.();
      connections.set(token, { stream, operations: new Map(), owner, caller: key ?? "", timer });
      const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
      return { status: 201, headers, body: token };
    },
    check: (token, caller) => void find(token, caller),
    open(token, caller) {
      const connection = find(token, caller);
      if (connection.timer === undefined) throw new BifocalError("CONFLICT", "This event stream is already open.");
      clearWait(token, connection);
      return connection.stream;
    },
    execute(token, prepared, context) {
      const { stream, operations } = find(token, context.caller);
      if ("errors" in prepared) return refused(executor.format(prepared));
      const { operationId } = prepared.extensions;
      if (typeof operationId !== "string" || operationId === "" || operationId.length > ID_LENGTH) {
        const message = `'extensions.operationId' must be a string of 1 to ${ID_LENGTH} characters.`;
        throw new BifocalError("BAD_REQUEST", message);
      }
      if (operations.has(operationId))
        throw new BifocalError("CONFLICT", "An operation with this id is already running.");
      if (operations.size >= limits.subscriptions.socketOperations) {
        throw new BifocalError(
          "RATE_LIMITED",
          `A stream can carry at most ${limits.subscriptions.socketOperations} operations at the same time.`,
        );
      }
      const operation = new SseOperation(executor, stream, {
        id: operationId,
        onEnd: () => void (operations.get(operationId) === operation && operations.delete(operationId)),
        // The other operations would miss the queued events, so all of them have to restart.
        onOverflow: (event) => {
          close(token ?? "");
          stream.replace(event);
          stream.end();
        },
      });
      operations.set(operationId, operation);
      void operation.run(prepared, context);
      return { status: 202, headers: { "Cache-Control": "no-store" }, body: null };
    },
    stop(token, caller, operationId) {
      const { operations } = find(token, caller);
      if (operationId === null || operationId === "") {
        throw new BifocalError("BAD_REQUEST", "'operationId' is required.");
      }
      operations.get(operationId)?.stop();
      operations.delete(operationId);
      return { status: 200, headers: { "Cache-Control": "no-store" }, body: null };
    },
  };
}

function refused(errors: readonly GraphQLFormattedError[]): HttpResponse {
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  return { status: 400, headers, body: JSON.stringify({ errors }) };
}
