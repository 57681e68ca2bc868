import type { ProtocolSocket, SocketConnection, SocketOrigin } from "../../message/protocol.ts";
import type { HttpSide } from "../any-api.ts";

/** Receives the events of a WebSocket from its host, which calls `closed` once, even if the socket never opened. */
export interface SocketEvents {
  opened(socket: ProtocolSocket): void;
  received(data: string | ArrayBuffer | Uint8Array): void;
  /** A ping frame has arrived. The host responds to it. */
  pinged(): void;
  closed(): void;
}

export interface FetchSocketListeners {
  readonly onceInitialized: () => void;
  readonly onceClosed: () => void;
}

const TOO_BIG = 1009;

/** Connects a WebSocket of a host with its protocol. */
export class FetchSocket implements SocketEvents {
  readonly #side: HttpSide;
  readonly #origin: SocketOrigin;
  readonly #listeners: FetchSocketListeners;
  #isInitialized = false;
  #ending: [code: number, reason: string] | undefined;
  #socket: ProtocolSocket | undefined;
  #connection: SocketConnection | undefined;

  constructor(origin: SocketOrigin, side: HttpSide, listeners: FetchSocketListeners) {
    this.#origin = origin;
    this.#side = side;
    this.#listeners = listeners;
  }

  opened(socket: ProtocolSocket): void {
    if (this.#ending !== undefined) {
      socket.close(...this.#ending);
      return;
    }
    this.#socket = socket;
    this.#connection = this.#side.sockets.open(socket, this.#origin);
    this.#connection.onceInitialized = () => this.#initialized();
  }

  received(data: string | ArrayBuffer | Uint8Array): void {
    const bytes =
      typeof data === "string" ? Buffer.from(data) : data instanceof Uint8Array ? data : new Uint8Array(data);
    // Hosts have a limit of their own, which may be higher.
    if (bytes.byteLength > this.#side.limits.subscriptions.messageBytes) this.end(TOO_BIG, "The message is too large");
    else this.#connection?.receive(bytes);
  }

  pinged(): void {
    this.#connection?.pinged();
  }

  closed(): void {
    this.#connection?.closed();
    this.#initialized();
    this.#listeners.onceClosed();
  }

  /** Closes the socket, or closes it as soon as it opens. */
  end(code: number, reason: string): void {
    this.#ending = [code, reason];
    this.#connection?.closed();
    this.#socket?.close(code, reason);
  }

  #initialized(): void {
    if (this.#isInitialized) return;
    this.#isInitialized = true;
    this.#listeners.onceInitialized();
  }
}
