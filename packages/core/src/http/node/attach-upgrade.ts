import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { watchConnections } from "./close-server.ts";
import { checkServer } from "./check-server.ts";
import type { UpgradeHandler } from "./create-upgrade-handler.ts";
import { nodeHttpModule } from "./node-http-module.ts";
import { hasBody } from "../socket-admission.ts";
import { offersWebSocket } from "../../message/offers-web-socket.ts";
import { destroy, refuseUpgrade } from "./refuse-upgrade.ts";

/** Handlers by server, so that several APIs can share one. */
const HANDLERS = new WeakMap<Server, UpgradeHandler[]>();

/** The callback exists since Node 22.21 and 24.9; the types do not include it. */
type UpgradingServer = Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean };

/**
 * Passes a server's upgrades to the handler. A WebSocket that no handler accepts is rejected. A request that offers
 * another protocol is served without the upgrade (RFC 9110 §7.8), unless the host also listens for upgrades.
 */
export function attachUpgrade(server: Server, handler: UpgradeHandler): void {
  checkServer("attach", server);
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
    // The host listens too, and the upgrade may be for it.
    if (server.listenerCount("upgrade") > 1) return;
    if (offersWebSocket(request)) refuseUpgrade(socket, "NOT_FOUND");
    else afterAnswer(socket, () => serveOnce(server, request, socket));
  });
}

/**
 * Lets Node serve such a request itself: the original one, with its body. Node's parser loses further data in the same
 * packet, so the connection ends with the response, and the client has to repeat later requests.
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
 * For earlier versions of Node, which pass an upgrade without its body: serves the original request if it has no body,
 * and ends the connection. The request isn't serialized and parsed again, because two parsers that disagree would allow
 * request smuggling.
 */
function serveOnce(server: Server, request: IncomingMessage, socket: Duplex): void {
  if (hasBody(request)) {
    refuseUpgrade(socket, "BAD_REQUEST");
    return;
  }
  socket.on("error", destroy);
  const response = new (nodeHttpModule().ServerResponse)(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once("finish", () => socket.end());
  server.emit("request", request, response);
}
