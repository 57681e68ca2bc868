import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyApi } from "../any-api.ts";

export interface CloseOptions {
  /** Milliseconds after which the remaining connections are closed. Default 10,000. */
  readonly timeout?: number;
}

const CLOSE_TIMEOUT_MS = 10_000;
/** Milliseconds between looks at connections. */
const PAUSE = 10;

const CONNECTIONS = new WeakMap<Server, Set<Socket>>();

/** Notes a server's connections, so that closing it knows them. */
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

/** Ends connections on which nothing was ever sent: to Node they are not idle, so a closing server would wait for them. */
export function closeSilent(server: Server): void {
  for (const socket of CONNECTIONS.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** Waits until what was written has gone out. */
export async function flushed(server: Server): Promise<void> {
  while (isFlushing(server)) await sleep(PAUSE);
}

/**
 * Cuts those who are still connected to a closing server after its timeout: half-sent requests, readers that do not
 * read. Settled then; never, if the server is closed before.
 */
export function cutAfter(server: Server, { timeout = CLOSE_TIMEOUT_MS }: CloseOptions = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      server.closeAllConnections();
      // Sockets that were upgraded are Node's no longer.
      for (const socket of CONNECTIONS.get(server) ?? []) socket.destroy();
      resolve();
    }, timeout).unref();
    server.once("close", () => clearTimeout(timer));
  });
}

/**
 * Shuts down in order: no new connections, sockets closed with 1012, event streams ended, the answers under way
 * completed.
 */
export async function closeServer(api: AnyApi, server: Server, options?: CloseOptions): Promise<void> {
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

/** Settled once all connections are closed. To Node's own `close` an answer that is written and on its way is none, and is cut. */
function stopListening(server: Server): Promise<void> {
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {};
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections = closeIdleConnections;
  return closed;
}
