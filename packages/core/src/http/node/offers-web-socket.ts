import type { IncomingMessage } from "node:http";

/** Whether a request asks for an upgrade to WebSocket and no other protocol, such as `h2c`. */
export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
