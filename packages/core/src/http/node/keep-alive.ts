import type { WebSocket } from "ws";

const INTERVAL_MS = 12_000;
const MAX_MISSED = 2;

/** Number of consecutive pings without a pong. */
const MISSED = new WeakMap<WebSocket, number>();

/** Records that the peer is alive. */
export function noteAlive(socket: WebSocket): void {
  MISSED.delete(socket);
}

/**
 * Pings all sockets every 12 seconds (RFC 6455 §5.5.2), and terminates those that missed two pings, because a peer that
 * vanished sends no close frame. Returns a function that stops the pings.
 */
export function keepAlive(sockets: Iterable<WebSocket>, interval = INTERVAL_MS): () => void {
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const missed = MISSED.get(socket) ?? 0;
      if (missed >= MAX_MISSED) socket.terminate();
      else {
        MISSED.set(socket, missed + 1);
        socket.ping();
      }
    }
  }, interval).unref();
  return () => clearInterval(timer);
}
