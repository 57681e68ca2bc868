import type { GraphQLFormattedError } from "graphql";
import { BifocalError, isBifocalError } from "../../../errors/bifocal-error.ts";
import { TokenBucket } from "../../../util/token-bucket.ts";
import { DrainSignal } from "../../../util/drain-signal.ts";
import type { ProtocolSocket, SocketOrigin } from "../../../message/protocol.ts";
import { onEnd } from "../../../operation/validity.ts";
import { toGraphQLError } from "../../graphql-error.ts";
import type { ConnectionOptions, SocketCaller } from "./connection-options.ts";
import { type ClientMessage, CLOSE, MessageMistake, parseMessage } from "./messages.ts";
import { RunningOperation } from "./running-operation.ts";

export const SUBPROTOCOL = "graphql-transport-ws";

const INIT_TIMEOUT = 3_000;
/** The burst of messages that is allowed, in seconds of the rate limit. */
const BURST = 4;
/** Maximum length of one UTF-16 code unit in UTF-8, and the overhead of one frame, both in bytes. */
const MAX_BYTES_PER_CODE_UNIT = 3;
const FRAME_BYTES = 16;
const ACKNOWLEDGED = '{"type":"connection_ack"}';

/**
 * The server side of `graphql-transport-ws` on one socket. It has few fields and no closures, because there may be
 * thousands of mostly idle connections.
 */
export class WebSocketConnection {
  readonly #socket: ProtocolSocket;
  readonly options: ConnectionOptions;
  #phase: "opened" | "initializing" | "acknowledged" | "closed" = "opened";
  readonly #allowance: TokenBucket;
  #origin: SocketOrigin | undefined;
  #timer: NodeJS.Timeout | undefined;
  #forget: (() => void) | undefined;
  #release: (() => void) | undefined;
  #running: Map<string, RunningOperation> | undefined;
  #drain: DrainSignal | undefined;
  /** Operations that could become open subscriptions. */
  #opening: Set<RunningOperation> | undefined;
  /** The pong that waits for them. */
  #pong: string | undefined;
  caller: SocketCaller = { principal: null };
  /** Called once, when the connection is initialized or closed. */
  onceInitialized: (() => void) | undefined;

  constructor(socket: ProtocolSocket, origin: SocketOrigin, options: ConnectionOptions) {
    this.#socket = socket;
    this.#origin = origin;
    this.options = options;
    this.#allowance = new TokenBucket(
      options.limits.subscriptions.messagesPerSecond,
      BURST * options.limits.subscriptions.messagesPerSecond,
    );
    if (socket.protocol !== SUBPROTOCOL) this.close(CLOSE.subprotocol, "Subprotocol not acceptable");
    else this.#timer = setTimeout(giveUp, INIT_TIMEOUT, this).unref();
  }

  /** Handles a message of the client. */
  receive(data: Uint8Array): void {
    if (this.#phase === "closed") return;
    if (!this.#allowance.take()) {
      this.close(CLOSE.policyViolation, "Too many messages");
      return;
    }
    try {
      // A payload is nested one level deeper than the body of a request.
      this.#handle(parseMessage(data, this.options.limits.http.jsonDepth + 1, this.options.limits.http.jsonKeys));
    } catch (thrown) {
      if (thrown instanceof MessageMistake) this.close(CLOSE.badMessage, thrown.message);
      else this.fail(thrown);
    }
  }

  /** Handles a ping frame. The WebSocket library responds to it, but it counts as a message. */
  pinged(): void {
    if (this.#phase !== "closed" && !this.#allowance.take()) this.close(CLOSE.policyViolation, "Too many messages");
  }

  /** Called when either side has closed the socket. */
  closed(): void {
    this.#phase = "closed";
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#origin = undefined;
    this.#initialized();
    this.#forget?.();
    this.#release?.();
    this.#release = undefined;
    this.#drain?.notify();
    const running = this.#running;
    this.#running = undefined;
    this.#opening = undefined;
    this.#pong = undefined;
    for (const operation of running?.values() ?? []) operation.stop();
  }

  close(code: number, reason: string): void {
    if (this.#phase === "closed") return;
    this.closed();
    this.#socket.close(code, reason);
  }

  /** Sends a message. Closes the connection instead if too much is queued, because slow readers are not waited for. */
  send(text: string): void {
    if (this.#isFull) this.close(CLOSE.tryAgainLater, "The client reads too slowly");
    else this.sendAnyway(text);
  }

  /** Sends a short final message even if the queue is full. */
  sendAnyway(text: string): void {
    if (this.#phase === "closed") return;
    const most = this.#socket.bufferedAmount + text.length * MAX_BYTES_PER_CODE_UNIT + FRAME_BYTES;
    if (most <= this.options.limits.subscriptions.queuedBytes) this.#socket.send(text);
    else this.#socket.send(text, () => this.#written());
  }

  /** Returns a promise that resolves when another message can be sent, or undefined if it can be sent now. */
  drain(): Promise<void> | undefined {
    return this.#isFull ? (this.#drain ??= new DrainSignal()).wait() : undefined;
  }

  /** Frees the id of an operation that has ended. */
  forget(id: string, operation: RunningOperation): void {
    if (this.#running?.get(id) === operation) this.#running.delete(id);
  }

  /**
   * Sends the pong of a ping that followed `subscribe`. The protocol doesn't acknowledge subscriptions, so this is how a
   * client learns that it will receive every change from now on.
   */
  opened(operation: RunningOperation): void {
    this.#opening?.delete(operation);
    if (this.#pong === undefined || (this.#opening?.size ?? 0) > 0) return;
    this.send(this.#pong);
    this.#pong = undefined;
  }

  /** Reports an internal error. */
  fail(thrown: unknown): void {
    this.options.log.error("A WebSocket message failed.", { cause: thrown });
    this.close(CLOSE.internalError, "Internal error");
  }

  sendErrors(id: string, errors: readonly GraphQLFormattedError[]): void {
    this.send(`{"id":${JSON.stringify(id)},"type":"error","payload":${JSON.stringify(errors)}}`);
  }

  get #isFull(): boolean {
    return this.#phase !== "closed" && this.#socket.bufferedAmount > this.options.limits.subscriptions.queuedBytes;
  }

  #written(): void {
    if (!this.#isFull) this.#drain?.notify();
  }

  #handle(message: ClientMessage): void {
    switch (message.type) {
      case "connection_init":
        if (this.#phase !== "opened") this.close(CLOSE.tooManyInits, "Too many initialisation requests");
        else this.#initialize(message.payload).catch((thrown: unknown) => this.fail(thrown));
        break;
      case "ping": {
        const { payload } = message;
        const pong = payload === undefined ? '{"type":"pong"}' : JSON.stringify({ type: "pong", payload });
        // Only one pong waits, so that pings can't fill the memory.
        if (this.#pong === undefined && (this.#opening?.size ?? 0) > 0) this.#pong = pong;
        else this.send(pong);
        break;
      }
      case "pong":
        break;
      case "subscribe":
        this.#subscribe(message.id, message.payload);
        break;
      case "complete":
        this.#complete(message.id);
        break;
    }
  }

  #complete(id: string): void {
    const operation = this.#running?.get(id);
    if (operation === undefined) return;
    operation.stop();
    this.forget(id, operation);
    this.opened(operation);
  }

  async #initialize(params: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    const origin = this.#origin;
    if (origin === undefined) return;
    this.#phase = "initializing";
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      this.caller = await this.options.authenticate(params, origin);
      // The client may have disconnected during authentication.
      if (this.#phase !== "initializing") return;
      this.#release = this.options.hold(this.caller);
    } catch (thrown) {
      const code = isBifocalError(thrown) ? thrown.code : undefined;
      if (code === "UNAUTHENTICATED" || code === "BAD_REQUEST") this.close(CLOSE.forbidden, "Forbidden");
      // The authentication service is temporarily unavailable.
      else if (code === "UNAVAILABLE" || code === "RATE_LIMITED") this.close(CLOSE.tryAgainLater, "Try again later");
      else throw thrown;
      return;
    }
    // The caller is known, so the upgrade request can be garbage-collected.
    this.#origin = undefined;
    this.#phase = "acknowledged";
    this.#initialized();
    this.#forget = onEnd(this.caller, () => this.expire());
    this.send(ACKNOWLEDGED);
  }

  #initialized(): void {
    this.onceInitialized?.();
    this.onceInitialized = undefined;
  }

  /** Closes the connection because its credential has expired. */
  expire(): void {
    this.close(CLOSE.unauthorized, "The credential has expired");
  }

  #subscribe(id: string, payload: Readonly<Record<string, unknown>>): void {
    const { caller, options } = this;
    if (this.#phase !== "acknowledged") this.close(CLOSE.unauthorized, "Unauthorized");
    else if (this.#running?.has(id) === true)
      // The reason does not contain the id, because it is limited to 123 bytes (RFC 6455 §5.5).
      this.close(CLOSE.duplicate, "Subscriber already exists");
    else if (caller.expires !== undefined && caller.expires <= Date.now()) this.expire();
    else if ((this.#running?.size ?? 0) >= options.limits.subscriptions.socketOperations) {
      const message = `A socket can run at most ${options.limits.subscriptions.socketOperations} operations at the same time.`;
      this.sendErrors(id, [toGraphQLError(new BifocalError("RATE_LIMITED", message)).toJSON()]);
    } else {
      const refusal = options.refusal() ?? options.malformed?.refusal(caller);
      if (refusal !== undefined) {
        this.sendErrors(id, [toGraphQLError(refusal).toJSON()]);
        return;
      }
      const operation = new RunningOperation(this, id);
      (this.#running ??= new Map()).set(id, operation);
      (this.#opening ??= new Set()).add(operation);
      options
        .during(() => operation.run(payload))
        .catch((thrown: unknown) => this.fail(thrown))
        .finally(() => this.opened(operation));
    }
  }
}

function giveUp(connection: WebSocketConnection): void {
  connection.close(CLOSE.initTimeout, "Connection initialisation timeout");
}
