import type { ProtocolSocket, SocketEvents } from "@bifocal/core/adapter";

const OPEN = 1;
/** The standard has no event for a queue that has been written. */
const POLL_INTERVAL_MS = 50;

/** Reports the events of a standard WebSocket. */
export function reportEvents(socket: WebSocket, events: SocketEvents): void {
  let isClosed = false;
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    events.closed();
  };
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: MessageEvent) => events.received(data as string | ArrayBuffer));
  socket.addEventListener("close", close);
  socket.addEventListener("error", close);
}

/** The part of a standard WebSocket that protocols use. */
export class StandardSocket implements ProtocolSocket {
  readonly protocol: string;
  readonly #socket: WebSocket;

  constructor(socket: WebSocket, protocol: string | undefined) {
    this.#socket = socket;
    this.protocol = protocol ?? "";
  }

  /** workerd doesn't report it. */
  get bufferedAmount(): number {
    return (this.#socket as Partial<WebSocket>).bufferedAmount ?? 0;
  }

  send(text: string, onWritten?: () => void): void {
    if (this.#socket.readyState === OPEN) this.#socket.send(text);
    if (onWritten !== undefined) this.#whenWritten(onWritten);
  }

  close(code: number, reason: string): void {
    if (this.#socket.readyState <= OPEN) this.#socket.close(code, reason);
  }

  #whenWritten(onWritten: () => void): void {
    const before = this.bufferedAmount;
    const timer = setInterval(() => {
      if (this.#socket.readyState === OPEN && this.bufferedAmount >= before && before > 0) return;
      clearInterval(timer);
      onWritten();
    }, POLL_INTERVAL_MS);
  }
}
