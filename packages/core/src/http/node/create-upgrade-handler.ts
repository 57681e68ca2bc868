import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { makeServer } from "graphql-ws";
import { type WebSocket, WebSocketServer } from "ws";
import type { AnyApi } from "../../api-side.ts";
import { watchConnections } from "./close-server.ts";

/** Takes an `upgrade` of Node's server if it is one for this API; `false`: it is somebody else's. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

const PROTOCOL = "graphql-transport-ws";
const MOST_BYTES = 256 * 1024;
const INIT_TIMEOUT = 3_000;
const GOING_AWAY = 1001;

/** Serves the `graphql-transport-ws` protocol at `<prefix>/graphql`. Closing the API closes every socket with 1001. */
export function createUpgradeHandler(api: AnyApi, { prefix = "" }: { readonly prefix?: string } = {}): UpgradeHandler {
  const side = api["~http"];
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  const server = makeServer<Record<string, unknown>, IncomingMessage>({
    ...side.wsOptions(),
    connectionInitWaitTimeout: INIT_TIMEOUT,
  });
  side.onClose(() => {
    for (const socket of sockets.clients) socket.close(GOING_AWAY, "Going away");
    sockets.close();
  });
  sockets.on("connection", (socket: WebSocket, request: IncomingMessage) => {
    const closed = server.opened(
      {
        protocol: socket.protocol,
        send: (data) =>
          new Promise((resolve, reject) => socket.send(data, (error) => (error ? reject(error) : resolve()))),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (listener) =>
          socket.on("message", (data) => {
            listener((data as Buffer).toString("utf8")).catch((thrown: unknown) => {
              side.log.error("A WebSocket message failed.", { cause: thrown });
              socket.close(1011, "Internal error");
            });
          }),
      },
      request,
    );
    socket.on("error", () => socket.terminate());
    socket.once("close", (code, reason) => void closed(code, String(reason)));
  });

  return (request, socket, head) => {
    const path = (request.url ?? "").split("?", 1)[0];
    if (path !== `${prefix}/graphql`) return false;
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit("connection", opened, request));
    return true;
  };
}

/** Lets a server's upgrades pass through the handler. An upgrade that nobody takes is ended, as Node would without listeners. */
export function attachUpgrade(server: Server, handler: UpgradeHandler): void {
  watchConnections(server);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (handler(request, socket, head) || server.listenerCount("upgrade") > 1) return;
    socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
}
