import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { AnyApi } from "../../api-side.ts";
import type { BifocalError } from "../../errors/bifocal-error.ts";
import { type ErrorCode, STATUS } from "../../errors/codes.ts";
import type { Connection } from "../../graphql/transport/ws/connection.ts";
import { prefixProblem } from "../prefix-problem.ts";
import { socketOrigin } from "../socket-credentials.ts";
import { watchConnections } from "./close-server.ts";
import { keepAlive, noteAlive } from "./keep-alive.ts";
import { OpeningSockets } from "./opening-sockets.ts";
import { originForm } from "./origin-form.ts";

/** Takes an `upgrade` of Node's server if it is one for this API; `false`: it is somebody else's. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

const PROTOCOL = "graphql-transport-ws";
const SERVICE_RESTART = 1012;
/** Of one message. `ws` has the option, and its types have not. */
const FRAGMENTS = { maxFragments: 64 };
/** Seconds until clients of a server that closes should come back, each after a time of its own. */
const MOST_DELAY = 5;
const BUSY = { "Retry-After": "5" };

/** By socket, so that the listeners are the same functions for all. */
const CONNECTIONS = new WeakMap<WebSocket, Connection>();

/**
 * Serves the `graphql-transport-ws` protocol at `<prefix>/graphql`. Closing the API closes every socket with 1012.
 *
 * @throws {Error} for a prefix that is no path: `api`, `/api/`.
 */
export function createUpgradeHandler(api: AnyApi, { prefix = "" }: { readonly prefix?: string } = {}): UpgradeHandler {
  const problem = prefixProblem(prefix);
  if (problem !== undefined) throw new Error(problem);
  const side = api["~http"];
  const { messageBytes, sockets: most, openingSockets, headers } = side.limits;
  const opening = new OpeningSockets(openingSockets);
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytes,
    ...FRAGMENTS,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  const stop = keepAlive(server.clients);
  side.onClose(() => {
    stop();
    for (const socket of server.clients) {
      CONNECTIONS.get(socket)?.closed();
      // Not all at the same time: that would be the next outage.
      socket.close(SERVICE_RESTART, `Service restart: come back after ${1 + Math.floor(Math.random() * MOST_DELAY)} s`);
    }
    server.close();
  });
  return (request, socket, head) => {
    const [path, query = ""] = originForm(request.url ?? "").split("?", 2);
    if (path !== `${prefix}/graphql`) return false;
    if (request.rawHeaders.length / 2 > headers) refuse(socket, "HEADERS_TOO_LARGE");
    else if (side.hasCredential(query)) refuse(socket, "BAD_REQUEST");
    else if (!side.acceptsPage(request.headers)) refuse(socket, "FORBIDDEN");
    else if (server.clients.size >= most) refuse(socket, "UNAVAILABLE", BUSY);
    else admit(request, socket, head);
    return true;
  };

  /** Lets in who may open one more. */
  function admit(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const address = side.addressOf(socketOrigin(request));
    if (opening.isFull(address)) {
      refuse(socket, "RATE_LIMITED", BUSY);
      return;
    }
    const upgrade = (refusal: BifocalError | undefined): void => {
      if (refusal !== undefined) refuse(socket, refusal.code, refusal.headers);
      else server.handleUpgrade(request, socket, head, (opened) => accept(opened, request, address));
    };
    const refusal = side.refuseSocket(address);
    if (!(refusal instanceof Promise)) {
      upgrade(refusal);
      return;
    }
    // Nobody else listens to the socket until it is answered.
    const onEarlyError = (): void => void socket.destroy();
    socket.once("error", onEarlyError);
    const fail = (cause: unknown): void => {
      side.log.error("A WebSocket could not be opened.", { cause });
      refuse(socket, "INTERNAL");
    };
    refusal
      .finally(() => socket.off("error", onEarlyError))
      .then(upgrade)
      .catch(fail);
  }

  function accept(opened: WebSocket, request: IncomingMessage, address: string | undefined): void {
    const connection = side.openSocket(opened, request);
    CONNECTIONS.set(opened, connection);
    if (opened.readyState === opened.OPEN) connection.onceInitialised = opening.add(address);
    opened.on("message", onMessage).on("ping", onPing).on("pong", onPong).on("error", onError).on("close", onClose);
  }
}

function onMessage(this: WebSocket, data: RawData): void {
  noteAlive(this);
  CONNECTIONS.get(this)?.receive(data as Buffer);
}

function onPing(this: WebSocket): void {
  noteAlive(this);
  CONNECTIONS.get(this)?.pinged();
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

function refuse(socket: Duplex, code: ErrorCode, headers: Readonly<Record<string, string>> = {}): void {
  const status = STATUS[code];
  const lines = Object.entries({ ...headers, Connection: "close", "Content-Length": "0" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n`);
}

/** Lets a server's upgrades pass through the handler. An upgrade that nobody takes is ended, as Node would without listeners. */
export function attachUpgrade(server: Server, handler: UpgradeHandler): void {
  watchConnections(server);
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (handler(request, socket, head) || server.listenerCount("upgrade") > 1) return;
    refuse(socket, "NOT_FOUND");
  });
}
