import type { IncomingMessage } from "node:http";

/** Whether a request would become a WebSocket, and no other protocol, as `h2c`. */
export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
