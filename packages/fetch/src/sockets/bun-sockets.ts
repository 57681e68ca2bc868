import type { AnyApi, ProtocolSocket, SocketEvents } from "@bifocal/core/adapter";
import { checkApi } from "@bifocal/core/internal";
import type { SocketHost } from "./socket-host.ts";

/** Bun's server, the second argument of its `fetch`. */
interface UpgradingServer {
  upgrade(request: Request, options: { readonly data: BunSocket; readonly headers: Record<string, string> }): boolean;
}

/** A socket of Bun's server. */
interface ServerSocket {
  readonly data: BunSocket;
  readonly readyState: number;
  /** Returns 0 if the message was dropped, and -1 if it waits for the client. */
  send(text: string): number;
  close(code: number, reason: string): void;
  getBufferedAmount(): number;
}

/** The `websocket` option of `Bun.serve`. */
export interface BunWebSocketHandler {
  readonly maxPayloadLength: number;
  readonly backpressureLimit: number;
  open(socket: ServerSocket): void;
  message(socket: ServerSocket, data: string | Uint8Array): void;
  ping(socket: ServerSocket): void;
  drain(socket: ServerSocket): void;
  close(socket: ServerSocket): void;
}

export interface BunSockets extends SocketHost<readonly [UpgradingServer, ...unknown[]]> {
  /** Pass it to `Bun.serve`. */
  readonly websocket: BunWebSocketHandler;
}

/** Times `queuedBytes` that Bun queues before it drops messages. The API closes slow sockets earlier. */
const QUEUE_FACTOR = 4;

/**
 * Serves subscriptions over WebSocket on Bun.
 *
 * @example
 * const sockets = bunSockets(api);
 * Bun.serve({ fetch: fetchHandler(api, { sockets }), websocket: sockets.websocket });
 */
export function bunSockets(api: AnyApi): BunSockets {
  checkApi("bunSockets", api);
  const { messageBytes, queuedBytes } = api["~http"].limits.subscriptions;
  return {
    upgrade(request, subprotocol, events, server: UpgradingServer | undefined) {
      if (server === undefined) {
        throw new Error(
          "A WebSocket needs Bun's server. Pass it to the handler: `fetch: (request, server) => handler(request, server)`.",
        );
      }
      const data = new BunSocket(events, subprotocol);
      const headers: Record<string, string> =
        subprotocol === undefined ? {} : { "Sec-WebSocket-Protocol": subprotocol };
      // Bun has responded itself, and ignores this response.
      return server.upgrade(request, { data, headers }) ? new Response(null) : undefined;
    },
    websocket: {
      maxPayloadLength: messageBytes,
      backpressureLimit: QUEUE_FACTOR * queuedBytes,
      open: (socket) => socket.data.opened(socket),
      message: ({ data }, message) => data.events.received(message),
      ping: ({ data }) => data.events.pinged(),
      drain: ({ data }) => data.drained(),
      close({ data }) {
        data.drained();
        data.events.closed();
      },
    },
  };
}

const DROPPED = 0;
const WAITING = -1;
const TRY_AGAIN_LATER = 1013;
const OPEN = 1;

class BunSocket implements ProtocolSocket {
  readonly events: SocketEvents;
  readonly protocol: string;
  #socket: ServerSocket | undefined;
  /** Called when the queue has been written. */
  #onWritten: (() => void)[] = [];

  constructor(events: SocketEvents, protocol: string | undefined) {
    this.events = events;
    this.protocol = protocol ?? "";
  }

  opened(socket: ServerSocket): void {
    this.#socket = socket;
    this.events.opened(this);
  }

  get bufferedAmount(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  send(text: string, onWritten?: () => void): void {
    const sent = this.#socket?.send(text);
    if (sent === DROPPED && this.#socket?.readyState === OPEN)
      this.close(TRY_AGAIN_LATER, "The client reads too slowly");
    if (onWritten === undefined) return;
    if (sent === WAITING) this.#onWritten.push(onWritten);
    else onWritten();
  }

  close(code: number, reason: string): void {
    this.#socket?.close(code, reason);
  }

  drained(): void {
    for (const onWritten of this.#onWritten.splice(0)) onWritten();
  }
}
