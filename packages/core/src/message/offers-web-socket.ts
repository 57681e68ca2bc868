import type { HttpRequest } from "./message.ts";

/** Whether a request asks for an upgrade to WebSocket and no other protocol, such as `h2c`. */
export function offersWebSocket({ headers }: Pick<HttpRequest, "headers">): boolean {
  return String(headers["upgrade"]).toLowerCase() === "websocket";
}
