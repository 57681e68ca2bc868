import type { AnyApi } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface Running {
  readonly server: Server;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Starts a server by adapter, each with WebSockets and the prefix `/api`. `timeout` is for closing. */
export const SERVERS: Readonly<Record<string, (api: AnyApi, timeout?: number) => Promise<Running>>> = {
  "node-http": (api, timeout = 10_000) => {
    const listener = nodeHttp(api, { prefix: "/api" });
    const server = createServer(listener);
    listener.attach(server);
    return listening(server, () => listener.close(server, { timeout }));
  },
  express: (api, timeout = 10_000) => {
    const router = expressRouter(api);
    const server = createServer(createExpress().use("/api", router) as Parameters<typeof createServer>[1]);
    router.attach(server, { prefix: "/api" });
    return listening(server, () => router.close(server, { timeout }));
  },
  fastify: async (api, timeout = 10_000) => {
    const app = createFastify();
    await app.register(bifocal, { api, prefix: "/api", closeTimeout: timeout });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    return { server: app.server, port, close: () => app.close() };
  },
};

async function listening(server: Server, close: () => Promise<void>): Promise<Running> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port, close };
}

/** Opens a connection and sends a text. `came` resolves to the received text when either side has closed it. */
export function say(port: number, text: string, allowHalfOpen = false): { socket: Socket; came: Promise<string> } {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen });
  let all = "";
  socket.on("data", (piece: Buffer) => {
    all += piece.toString("latin1");
  });
  // A reset counts as an end.
  socket.on("error", () => {});
  socket.write(text);
  return { socket, came: new Promise((resolve) => socket.once("close", () => resolve(all))) };
}

/** The head of a WebSocket upgrade. */
export function upgradeOf(target: string, ...headers: readonly string[]): string {
  const lines = ["Host: x", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", ...headers];
  lines.push(`Sec-WebSocket-Key: ${btoa("sixteen letters!")}`, "Sec-WebSocket-Protocol: graphql-transport-ws");
  return `GET ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
