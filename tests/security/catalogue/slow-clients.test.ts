import { memoryStore } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { nodeHttp } from "@bifocal/node-http";
import createExpress from "express";
import createFastify from "fastify";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { expectCleanPrototypes } from "../access/case.ts";
import { createLibrary, type Library } from "../limits/library.ts";

/** The timeouts of docs/secure-in-production.md, divided by twenty. */
const TIMES = { headersTimeout: 500, requestTimeout: 1_500, connectionsCheckingInterval: 250, keepAliveTimeout: 400 };
const STALL = 1_500;
const CROWD = 100;

interface Running {
  readonly server: Server;
  readonly close: () => Promise<unknown>;
}

const SERVERS: Readonly<Record<string, (api: Library) => Promise<Running>>> = {
  "node-http": async (api) => {
    const listener = nodeHttp(api);
    const server = createServer(TIMES, listener);
    listener.attach(server);
    return { server: await listening(server), close: () => listener.close(server) };
  },
  express: async (api) => {
    const router = expressRouter(api);
    const server = createServer(TIMES, createExpress().use(router) as Parameters<typeof createServer>[1]);
    router.attach(server);
    return { server: await listening(server), close: () => router.close(server) };
  },
  fastify: async (api) => {
    const app = createFastify({
      http: TIMES,
      requestTimeout: TIMES.requestTimeout,
      keepAliveTimeout: TIMES.keepAliveTimeout,
    });
    await app.register(bifocal, { api });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { server: app.server, close: () => app.close() };
  },
};

async function listening(server: Server): Promise<Server> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const sockets: Socket[] = [];
let running: Running | undefined;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await running?.close();
  running = undefined;
  expectCleanPrototypes();
});

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  const begin = async (api: Library): Promise<{ readonly url: string; readonly port: number }> => {
    running = await start(api);
    running.server.timeout = STALL;
    const { port } = running.server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, port };
  };
  /** Opens a connection and sends a text. `told` resolves to the received text when the server has closed it. */
  const open = (port: number, text: string): { readonly socket: Socket; readonly told: Promise<string> } => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    let came = "";
    socket.on("data", (data: Buffer) => {
      came += data.toString("latin1");
    });
    socket.on("error", () => {});
    socket.write(text);
    return { socket, told: new Promise((resolve) => socket.once("close", () => resolve(came))) };
  };
  /** Checks that the server keeps responding to a normal client. */
  const served = async (url: string, until: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void until.then(() => {
      isOver = true;
    });
    while (!isOver) {
      expect((await fetch(`${url}/authors/1`)).status).toBe(200);
      await sleep(50);
    }
  };

  test.each([
    ["G01", "heads that arrive byte by byte", "GET /authors/1 HTTP/1.1\r\nHost: x\r\n", "a"],
    [
      "G02",
      "bodies that arrive byte by byte",
      "POST /authors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
      " ",
    ],
  ])("%s: disconnects clients without blocking others: %s", { timeout: 30_000 }, async (_id, _what, head, drop) => {
    const { url, port } = await begin(createLibrary());
    const crowd = Array.from({ length: CROWD }, () => open(port, head));
    const dripping = setInterval(() => {
      for (const { socket } of crowd) if (socket.writable) socket.write(drop);
    }, 100);
    const began = performance.now();
    const all = Promise.all(crowd.map(({ told }) => told));
    await served(url, all);
    clearInterval(dripping);
    for (const told of await all) expect(told).toMatch(/^(HTTP\/1.1 408|$)/);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test("G02: disconnects a client that doesn't read its response", { timeout: 30_000 }, async () => {
    const book = Array.from({ length: 100 }, (_one, id) => ({ id, authorId: 1, title: "x".repeat(200_000) }));
    const { url, port } = await begin(
      createLibrary({ store: memoryStore({ data: { author: [{ id: 1, name: "x" }], book } }) }),
    );
    const accepted = once(running?.server as Server, "connection");
    const { socket } = open(port, "GET /books?page[size]=100 HTTP/1.1\r\nHost: x\r\n\r\n");
    socket.pause();
    const [taken] = (await accepted) as [Socket];
    if (!taken.destroyed) await once(taken, "close");
    expect((await fetch(`${url}/authors/1`)).status).toBe(200);
  });

  test("G11: closes idle connections, and accepts new ones meanwhile", { timeout: 30_000 }, async () => {
    const { url, port } = await begin(createLibrary());
    const request = "GET /authors/1 HTTP/1.1\r\nHost: x\r\n\r\n";
    const idle = Array.from({ length: CROWD }, () => open(port, request));
    const all = Promise.all(idle.map(({ told }) => told));
    await served(url, all);
    for (const told of await all) expect(told).toMatch(/^HTTP\/1.1 200/);
  });
});
