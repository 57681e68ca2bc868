import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { keepAlive, noteAlive } from "../../src/http/node/keep-alive.ts";
import { EventStream } from "../../src/util/event-stream.ts";

test("F12: a peer that leaves two pings without an answer is dropped, and one that answers is not", async () => {
  const server = new WebSocketServer({ port: 0 });
  await once(server, "listening");
  server.on("connection", (socket) => socket.on("pong", () => noteAlive(socket)));
  const stop = keepAlive(server.clients, 40);
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [dead, alive] = [new WebSocket(url, { autoPong: false }), new WebSocket(url)];
  let pings = 0;
  dead.on("ping", () => pings++);
  dead.on("error", () => {});
  const [code] = (await once(dead, "close")) as [number];
  expect([code, pings]).toEqual([1006, 2]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(alive.readyState).toBe(WebSocket.OPEN);
  stop();
  alive.close();
  server.close();
});

test("F15: a quiet event stream gets a comment now and then, and a busy one none", async () => {
  let closed = 0;
  const stream = new EventStream({ mostWaiting: 100, onClose: () => closed++ });
  expect((await stream.next()).value).toBe(":\n\n");
  stream.beat();
  const next = stream.next();
  stream.send("event: a\ndata: 1\n\n");
  expect((await next).value).toBe("event: a\ndata: 1\n\n");
  stream.beat();
  stream.beat();
  stream.beat();
  expect((await stream.next()).value).toBe(":\n\n");
  await stream.return();
  expect([closed, (await stream.next()).done]).toEqual([1, true]);
});
