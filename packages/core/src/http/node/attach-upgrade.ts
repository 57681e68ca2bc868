import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { watchConnections } from "./close-server.ts";
import type { UpgradeHandler } from "./create-upgrade-handler.ts";
import { hasBody } from "./has-body.ts";
import { offersWebSocket } from "./offers-web-socket.ts";
import { destroy, refuseUpgrade } from "./refuse-upgrade.ts";

/** By server, so that several APIs on one know of each other. */
const HANDLERS = new WeakMap<Server, UpgradeHandler[]>();

/** Node 22.21 and 24.9 added the callback; its types lack it. */
type UpgradingServer = Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean };

/**
 * Lets a server's upgrades pass through the handler. A WebSocket that no handler takes is refused. A request that offers any other
 * protocol is served as if it offered none (RFC 9110 §7.8), unless the host listens for upgrades as well.
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
  ignoreOtherProtocols(server);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (handlers.some((take) => take(request, socket, head))) return;
    // The host listens too, and this upgrade may be meant for it.
    if (server.listenerCount("upgrade") > 1) return;
    if (offersWebSocket(request)) refuseUpgrade(socket, "NOT_FOUND");
    else afterAnswer(socket, () => serveOnce(server, request, socket));
  });
}

/**
 * Node then serves such a request itself: the original one, with its body. Its parser loses what follows in the same packet, so
 * the connection ends with the response, and the client sends the rest again.
 */
function ignoreOtherProtocols(server: UpgradingServer): void {
  const { shouldUpgradeCallback } = server;
  if (shouldUpgradeCallback === undefined) return;
  server.shouldUpgradeCallback = (request) =>
    shouldUpgradeCallback.call(server, request) && (offersWebSocket(request) || server.listenerCount("upgrade") > 1);
  server.prependListener("request", ({ headers }: IncomingMessage, response: ServerResponse) => {
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
  });
}

/** Waits for the response to an earlier request on the same connection. */
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

/**
 * For earlier versions of Node, which hand over an upgrade without its body: serves the original request if it has none, and ends
 * the connection. Nothing is written out and parsed again: two parsers that disagree would be a way to smuggle requests.
 */
function serveOnce(server: Server, request: IncomingMessage, socket: Duplex): void {
  if (hasBody(request)) {
    refuseUpgrade(socket, "BAD_REQUEST");
    return;
  }
  socket.on("error", destroy);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once("finish", () => socket.end());
  server.emit("request", request, response);
}
