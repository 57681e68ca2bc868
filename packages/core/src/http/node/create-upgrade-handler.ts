import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket, WebSocketServer } from "ws";
import type { AnyApi } from "../any-api.ts";
import type { SocketConnection, SocketOrigin } from "../../message/protocol.ts";
import { checkCallOptions } from "../../util/check-call.ts";
import { mountProblem } from "../prefix-problem.ts";
import { restartNotice } from "../restart-notice.ts";
import { SocketAdmission, type SocketRequest } from "../socket-admission.ts";
import { offersWebSocket } from "../../message/offers-web-socket.ts";
import { destroy, refuseUpgrade } from "./refuse-upgrade.ts";
import { keepAlive, noteAlive } from "./keep-alive.ts";
import { originForm } from "./to-http-request.ts";
import { toSocketRequest } from "./to-socket-request.ts";

/** Handles an `upgrade` of Node's server. Returns `false` if the request is not for this API. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Maximum number of fragments of one message. `ws` supports the option, but its types do not include it. */
const FRAGMENTS = { maxFragments: 64 };

/** By socket, so that all sockets share the same listener functions. */
const CONNECTIONS = new WeakMap<WebSocket, SocketConnection>();

/**
 * Serves the `graphql-transport-ws` protocol at `<prefix>/graphql`. Closing the API closes every socket with 1012.
 *
 * @throws {Error} if the prefix is not a valid path, such as `api` or `/api/`.
 */
export function createUpgradeHandler(api: AnyApi, options: { readonly prefix?: string } = {}): UpgradeHandler {
  checkCallOptions("upgrade", options, { prefix: "a string" });
  const { prefix = "" } = options;
  const problem = mountProblem(prefix);
  if (problem !== undefined) throw new Error(problem);
  const side = api["~http"];
  const { path: ownPath, subprotocol } = side.sockets;
  const { messageBytes } = side.limits.subscriptions;
  const admission = new SocketAdmission(side);
  let [server, isClosed] = [undefined as WebSocketServer | undefined, false];
  let opened: Promise<WebSocketServer> | undefined;
  side.onClose(() => {
    isClosed = true;
    for (const socket of server?.clients ?? []) {
      CONNECTIONS.get(socket)?.closed();
      socket.close(...restartNotice());
    }
    server?.close();
  });
  return (request, socket, head) => {
    const url = originForm(request.url ?? "");
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    if (path !== prefix + ownPath || !offersWebSocket(request)) return false;
    void admit({ request, socket, head }, toSocketRequest(request, mark < 0 ? "" : url.slice(mark + 1)));
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
  async function admit(upgrade: Upgrade, origin: SocketRequest): Promise<void> {
    const { request, socket, head } = upgrade;
    // Until the upgrade completes, nothing else listens for errors of the socket.
    socket.on("error", destroy);
    const refusal = await admission.admit(origin, server?.clients.size ?? 0, async (onceInitialized) => {
      const server = await (opened ??= openServer());
      let isOpen = false;
      server.handleUpgrade(request, socket, head, (webSocket) => {
        socket.off("error", destroy);
        isOpen = accept(webSocket, origin, onceInitialized);
      });
      return isOpen;
    });
    if (refusal !== undefined) refuseUpgrade(socket, refusal.code, refusal.headers);
  }

  /**
   * Returns `false` if the socket is already closed. `onceInitialized` is called when the connection is initialized or
   * closed.
   */
  function accept(opened: WebSocket, origin: SocketOrigin, onceInitialized: () => void): boolean {
    const connection = side.sockets.open(opened, origin);
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
