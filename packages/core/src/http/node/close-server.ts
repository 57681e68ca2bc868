import { checkCallOptions } from "../../util/check-call.ts";
import { checkServer } from "./check-server.ts";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { sleep } from "../../runtime/timers.ts";
import type { AnyApi } from "../any-api.ts";

export interface CloseOptions {
  /** Milliseconds after which the remaining connections are closed. Default: 10,000. */
  readonly timeout?: number;
}

const CLOSE_TIMEOUT_MS = 10_000;
/** Milliseconds between two checks of the connections. */
const PAUSE = 10;

const CONNECTIONS = new WeakMap<Server, Set<Socket>>();

/** Tracks a server's connections, for closing the server. */
export function watchConnections(server: Server): void {
  if (CONNECTIONS.has(server)) return;
  const sockets = new Set<Socket>();
  CONNECTIONS.set(server, sockets);
  const add = (socket: Socket): void => {
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.on("connection", add).on("secureConnection", add);
}

/**
 * Closes connections that never sent data. Node does not consider them idle, so closing the server would wait for them.
 */
export function closeSilent(server: Server): void {
  for (const socket of CONNECTIONS.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** Waits until all written data has been sent. */
export async function flushed(server: Server): Promise<void> {
  while (isFlushing(server)) await sleep(PAUSE);
}

/**
 * Destroys the connections that are still open after the timeout, for example half-sent requests and clients that do
 * not read. Resolves then, or never if the server closes before the timeout.
 */
export function cutAfter(server: Server, { timeout = CLOSE_TIMEOUT_MS }: CloseOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      // Node no longer tracks upgraded sockets.
      for (const socket of CONNECTIONS.get(server) ?? []) socket.destroy();
      resolve();
    }, timeout).unref();
    server.once("close", () => clearTimeout(timer));
  });
}

/**
 * Shuts down in this order: stops accepting connections, closes sockets with 1012, ends event streams, and completes
 * running responses.
 */
export async function closeServer(api: AnyApi, server: Server, options: CloseOptions = {}): Promise<void> {
  checkServer("close", server);
  checkCallOptions("close", options, { timeout: "a number of at least 0" });
  let isClosed = false;
  const closed = stopListening(server).then(() => {
    isClosed = true;
  });
  void cutAfter(server, options);
  try {
    await api.close();
  } finally {
    while (!isClosed) {
      if (!isFlushing(server)) {
        server.closeIdleConnections();
        closeSilent(server);
      }
      await Promise.race([closed, sleep(PAUSE)]);
    }
  }
}

function isFlushing(server: Server): boolean {
  for (const socket of CONNECTIONS.get(server) ?? []) if (socket.writableLength > 0) return true;
  return false;
}

/**
 * Resolves once all connections are closed. Node's own `close` would destroy connections whose response is written but
 * not sent yet, so closing idle connections is suppressed here.
 */
function stopListening(server: Server): Promise<void> {
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {};
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections = closeIdleConnections;
  return closed;
}
