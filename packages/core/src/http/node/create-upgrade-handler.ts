import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { AnyApi } from "../../api-side.ts";
import type { Connection } from "../../graphql/transport/ws/connection.ts";
import { watchConnections } from "./close-server.ts";
import { keepAlive, noteAlive } from "./keep-alive.ts";

/** Takes an `upgrade` of Node's server if it is one for this API; `false`: it is somebody else's. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

const PROTOCOL = "graphql-transport-ws";
const GOING_AWAY = 1001;

/** By socket, so that the listeners are the same functions for all. */
const CONNECTIONS = new WeakMap<WebSocket, Connection>();

/** Serves the `graphql-transport-ws` protocol at `<prefix>/graphql`. Closing the API closes every socket with 1001. */
export function createUpgradeHandler(api: AnyApi, { prefix = "" }: { readonly prefix?: string } = {}): UpgradeHandler {
  const side = api["~http"];
  const { messageBytes, sockets: most } = side.limits;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  const stop = keepAlive(server.clients);
  side.onClose(() => {
    stop();
    for (const socket of server.clients) {
      CONNECTIONS.get(socket)?.closed();
      socket.close(GOING_AWAY, "Going away");
    }
    server.close();
  });
  server.on("connection", (socket: WebSocket, request: IncomingMessage) => {
    CONNECTIONS.set(socket, side.openSocket(socket, request));
    socket.on("message", onMessage).on("pong", onPong).on("error", onError).on("close", onClose);
  });

  return (request, socket, head) => {
    const [path, query = ""] = (request.url ?? "").split("?", 2);
    if (path !== `${prefix}/graphql`) return false;
    if (side.hasCredential(query)) refuse(socket, "400 Bad Request");
    else if (!side.acceptsPage(request.headers)) refuse(socket, "403 Forbidden");
    else if (server.clients.size >= most) refuse(socket, "503 Service Unavailable", "Retry-After: 5\r\n");
    else server.handleUpgrade(request, socket, head, (opened) => server.emit("connection", opened, request));
    return true;
  };
}

function onMessage(this: WebSocket, data: RawData): void {
  noteAlive(this);
  CONNECTIONS.get(this)?.receive(data as Buffer);
}

function onPong(this: WebSocket): void {
  noteAlive(this);
}

function onError(this: WebSocket): void {
  this.terminate();
}

function onClose(this: WebSocket): void {
  CONNECTIONS.get(this)?.closed();
}

function refuse(socket: Duplex, status: string, headers = ""): void {
  socket.end(`HTTP/1.1 ${status}\r\n${headers}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Lets a server's upgrades pass through the handler. An upgrade that nobody takes is ended, as Node would without listeners. */
export function attachUpgrade(server: Server, handler: UpgradeHandler): void {
  watchConnections(server);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (handler(request, socket, head) || server.listenerCount("upgrade") > 1) return;
    refuse(socket, "404 Not Found");
  });
}
