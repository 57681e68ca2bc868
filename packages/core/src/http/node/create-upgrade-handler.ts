import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket, WebSocketServer } from "ws";
import type { AnyApi } from "../any-api.ts";
import type { SocketConnection } from "../../message/protocol.ts";
import { prefixProblem } from "../prefix-problem.ts";
import { socketOrigin } from "../socket-credentials.ts";
import { hasBody, destroy, refuseUpgrade, offersWebSocket } from "./refuse-upgrade.ts";
import { keepAlive, noteAlive } from "./keep-alive.ts";
import { OpeningSockets } from "./opening-sockets.ts";
import { originForm } from "./to-http-request.ts";

/** Handles an `upgrade` of Node's server. Returns `false` if the request is not for this API. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const SERVICE_RESTART = 1012;
/** Maximum number of fragments of one message. `ws` supports the option, but its types do not include it. */
const FRAGMENTS = { maxFragments: 64 };
/** Maximum number of seconds that clients should wait before they reconnect, each for a random time. */
const MAX_DELAY_SECONDS = 5;
const BUSY = { "Retry-After": "5" };

/** By socket, so that all sockets share the same listener functions. */
const CONNECTIONS = new WeakMap<WebSocket, SocketConnection>();

/**
 * Serves the `graphql-transport-ws` protocol at `<prefix>/graphql`. Closing the API closes every socket with 1012.
 *
 * @throws {Error} if the prefix is not a valid path, such as `api` or `/api/`.
 */
export function createUpgradeHandler(api: AnyApi, { prefix = "" }: { readonly prefix?: string } = {}): UpgradeHandler {
  const problem = prefixProblem(prefix);
  if (problem !== undefined) throw new Error(problem);
  const side = api["~http"];
  const { path: ownPath, subprotocol } = side.sockets;
  const { messageBytes, sockets: most, openingSockets } = side.limits.subscriptions;
  const { headers } = side.limits.http;
  const opening = new OpeningSockets(openingSockets);
  let [server, isClosed] = [undefined as WebSocketServer | undefined, false];
  let opened: Promise<WebSocketServer> | undefined;
  side.onClose(() => {
    isClosed = true;
    for (const socket of server?.clients ?? []) {
      CONNECTIONS.get(socket)?.closed();
      // Spread over time, because simultaneous reconnects would overload the server.
      socket.close(
        SERVICE_RESTART,
        `Service restart: reconnect in ${1 + Math.floor(Math.random() * MAX_DELAY_SECONDS)} s`,
      );
    }
    server?.close();
  });
  // Number of sockets whose rate limit is being checked.
  let asking = 0;
  return (request, socket, head) => {
    const url = originForm(request.url ?? "");
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    if (path !== prefix + ownPath || !offersWebSocket(request)) return false;
    void admit({ request, socket, head }, mark < 0 ? "" : url.slice(mark + 1));
    return true;
  };

  /** Loads `ws` with the first socket, because it would take a tenth of the time that a process needs to start. */
  async function openServer(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import("ws");
    server = new WebSocketServer({
      noServer: true,
      maxPayload: messageBytes,
      ...FRAGMENTS,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(subprotocol) ? subprotocol : false),
    });
    server.on("close", keepAlive(server.clients));
    // Refuses this socket.
    if (isClosed) server.close();
    return server;
  }

  /** Opens the socket unless a check or a limit rejects it. */
  async function admit(upgrade: Upgrade, query: string): Promise<void> {
    const { request, socket } = upgrade;
    // Until the upgrade completes, nothing else listens for errors of the socket.
    socket.on("error", destroy);
    try {
      const address = side.addressOf(socketOrigin(request));
      if (request.rawHeaders.length / 2 > headers) refuseUpgrade(socket, "HEADERS_TOO_LARGE");
      // The body would be parsed as frames of the WebSocket.
      else if (hasBody(request)) refuseUpgrade(socket, "BAD_REQUEST");
      else if (side.hasCredential(query)) refuseUpgrade(socket, "BAD_REQUEST");
      else if (!side.acceptsPage(request.headers)) refuseUpgrade(socket, "FORBIDDEN");
      else if ((server?.clients.size ?? 0) + asking >= most) refuseUpgrade(socket, "UNAVAILABLE", BUSY);
      else if (opening.isFull(address)) refuseUpgrade(socket, "RATE_LIMITED", BUSY);
      else await ask(upgrade, address);
    } catch (cause) {
      side.log.error("A WebSocket could not be opened.", { cause });
      refuseUpgrade(socket, "INTERNAL");
    }
  }

  /** Checks the rate limit. Meanwhile the socket counts as an opening one. */
  async function ask({ request, socket, head }: Upgrade, address: string | undefined): Promise<void> {
    let leave: (() => void) | undefined = opening.add(address);
    asking++;
    try {
      const refusal = await side.refuseSocket(address);
      if (refusal !== undefined) refuseUpgrade(socket, refusal.code, refusal.headers);
      else {
        (await (opened ??= openServer())).handleUpgrade(request, socket, head, (webSocket) => {
          socket.off("error", destroy);
          if (accept(webSocket, request, leave)) leave = undefined;
        });
      }
    } finally {
      asking--;
      leave?.();
    }
  }

  /**
   * Returns `false` if the socket is already closed. `onceInitialized` is called when the connection is initialized or
   * closed.
   */
  function accept(opened: WebSocket, request: IncomingMessage, onceInitialized: (() => void) | undefined): boolean {
    const connection = side.sockets.open(opened, request);
    CONNECTIONS.set(opened, connection);
    opened.on("message", onMessage).on("ping", onPing).on("pong", onPong).on("error", onError).on("close", onClose);
    if (opened.readyState !== opened.OPEN) return false;
    connection.onceInitialized = onceInitialized;
    return true;
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
