import type { WebSocket } from "ws";

const INTERVAL = 12_000;
const MOST_MISSED = 2;

/** How many pings a socket has not answered. */
const MISSED = new WeakMap<WebSocket, number>();

/** Something came from the other side, so it is there. */
export function noteAlive(socket: WebSocket): void {
  MISSED.delete(socket);
}

/**
 * Pings all sockets every 12 seconds (RFC 6455 §5.5.2), and ends those that left two pings without an answer: a peer that
 * vanished says nothing. Returns the function that stops it.
 */
export function keepAlive(sockets: Iterable<WebSocket>, interval = INTERVAL): () => void {
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const missed = MISSED.get(socket) ?? 0;
      if (missed >= MOST_MISSED) socket.terminate();
      else {
        MISSED.set(socket, missed + 1);
        socket.ping();
      }
    }
  }, interval).unref();
  return () => clearInterval(timer);
}
