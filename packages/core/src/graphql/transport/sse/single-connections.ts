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
  /** True if too much was waiting before the stream was opened. The stream then only reports that. */
  hasOverflowed: boolean;
}

export interface SingleConnections {
  /** Responds with a token for a stream, which must be opened within 30 seconds. */
  readonly reserve: (caller: Caller) => HttpResponse;
  /** Throws NOT_FOUND if the token is unknown or belongs to another client, or if the stream has ended. */
  readonly check: (token: string | undefined, caller: Caller) => void;
  /** Throws NOT_FOUND if the token is unknown or belongs to another client, and CONFLICT if the stream is open. */
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
    stopOperations(connection);
  }

  /** Closes a stream that was never opened. */
  function cancel(token: string): void {
    void connections.get(token)?.stream.return();
    close(token);
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

  function findRunning(token: string | undefined, caller: Caller): SingleConnection {
    const connection = find(token, caller);
    if (connection.hasOverflowed) {
      throw new BifocalError(
        "NOT_FOUND",
        "This event stream ended because too much was waiting before it was opened. Reserve a new one, and open it before you send operations.",
      );
    }
    return connection;
  }

  return {
    reserve(caller) {
      const key = callerKey(caller);
      const oldest = key === undefined ? undefined : reservations.oldestBeyond(key);
      if (oldest !== undefined) cancel(oldest);
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
      const timer = setTimeout(() => cancel(token), RESERVATION_TIMEOUT_MS).unref();
      reservations.add(key ?? "", token);
      const owner = caller.clientDigest?.();
      connections.set(token, {
        stream,
        operations: new Map(),
        owner,
        caller: key ?? "",
        timer,
        hasOverflowed: false,
      });
      const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
      return { status: 201, headers, body: token };
    },
    check: (token, caller) => void findRunning(token, caller),
    open(token, caller) {
      const connection = find(token, caller);
      if (connection.timer === undefined) throw new BifocalError("CONFLICT", "This event stream is already open.");
      if (connection.hasOverflowed) close(token);
      else clearWait(token, connection);
      return connection.stream;
    },
    execute(token, prepared, context) {
      const connection = findRunning(token, context.caller);
      const { stream, operations } = connection;
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
          stopOperations(connection);
          // If the client opens the stream later, it sees why the stream ended.
          if (connection.timer !== undefined) connection.hasOverflowed = true;
          else close(token ?? "");
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

function stopOperations({ operations }: SingleConnection): void {
  for (const operation of operations.values()) operation.stop();
  operations.clear();
}

function refused(errors: readonly GraphQLFormattedError[]): HttpResponse {
  const headers = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  return { status: 400, headers, body: JSON.stringify({ errors }) };
}
