import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { AnyApi } from "../../api-side.ts";

const CONNECTIONS = new WeakMap<Server, Set<Socket>>();

/** Notes a server's connections, so that `closeSilent` knows them. */
export function watchConnections(server: Server): void {
  if (CONNECTIONS.has(server)) return;
  const sockets = new Set<Socket>();
  CONNECTIONS.set(server, sockets);
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
}

/** Ends connections on which nothing was ever sent: to Node they are not idle, so a closing server would wait for them. */
export function closeSilent(server: Server): void {
  for (const socket of CONNECTIONS.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/**
 * Shuts down in order: no new connections, sockets closed with 1012, event streams ended, the answers under way
 * completed.
 */
export async function closeServer(api: AnyApi, server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await api.close();
  server.closeIdleConnections();
  closeSilent(server);
  await closed;
}
