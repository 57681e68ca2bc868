import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { watchConnections } from "./close-server.ts";
import type { UpgradeHandler } from "./create-upgrade-handler.ts";
import { offersWebSocket } from "./offers-web-socket.ts";
import { destroy, refuseUpgrade } from "./refuse-upgrade.ts";

/** By server, so that several APIs on one know of each other. */
const HANDLERS = new WeakMap<Server, UpgradeHandler[]>();

/**
 * Lets a server's upgrades pass through the handler. A WebSocket that nobody takes is refused; any other upgrade that nobody
 * takes is answered as if it had not been offered (RFC 9110 §7.8).
 */
export function attachUpgrade(server: Server, handler: UpgradeHandler): void {
  watchConnections(server);
  const known = HANDLERS.get(server);
  if (known !== undefined) {
    known.push(handler);
    return;
  }
  const handlers = [handler];
  HANDLERS.set(server, handlers);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (handlers.some((take) => take(request, socket, head))) return;
    // Other listeners are the host's, and so is what we do not take.
    if (server.listenerCount("upgrade") > 1) return;
    if (offersWebSocket(request)) refuseUpgrade(socket, "NOT_FOUND");
    else afterAnswer(socket, () => serveAgain(server, request, socket, head));
  });
}

/** What was asked before on the same connection is answered first. */
function afterAnswer(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }, next: () => void): void {
  const { _httpMessage: before } = socket;
  if (before === undefined || before === null) {
    next();
    return;
  }
  socket.on("error", destroy);
  before.once("close", () => {
    socket.off("error", destroy);
    if (socket.writable) next();
  });
}

/** Node hands over an upgrade without its body, so the connection begins again with the same request that offers none. */
function serveAgain(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = "GET", url = "/", httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[index + 1] as string}`);
  }
  const again = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  socket.unshift(Buffer.concat([again, head]));
  server.emit("encrypted" in socket ? "secureConnection" : "connection", socket);
}
