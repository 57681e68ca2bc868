import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { keepAlive, noteAlive } from "../../src/http/node/keep-alive.ts";
import { EventStream } from "../../src/message/event-stream.ts";

test("F12: disconnects a peer that misses two pings, and keeps one that responds", async () => {
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

test("F15: sends a comment on every second beat of an idle event stream, and none on a busy one", async () => {
  let closed = 0;
  const stream = new EventStream({ mostWaiting: 100, onClose: () => closed++ });
  expect((await stream.next()).value).toBe(":\n\n");
  const heard: unknown[] = [];
  const reading = (async () => {
    for await (const piece of stream) heard.push(piece);
  })();
  const beat = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      stream.beat();
      await new Promise(setImmediate);
    }
  };
  await beat(1);
  expect(heard).toEqual([]);
  stream.send("event: a\ndata: 1\n\n");
  await beat(1);
  expect(heard).toEqual(["event: a\ndata: 1\n\n"]);
  // A comment doesn't count as activity.
  await beat(5);
  expect(heard.slice(1)).toEqual([":\n\n", ":\n\n", ":\n\n"]);
  stream.end();
  await reading;
});

test("F09: an event stream writes up to its limit, and continues after the client has read", async () => {
  let closed = 0;
  const stream = new EventStream({ mostWaiting: 10, onClose: () => closed++ });
  expect([stream.drain(), stream.send("x".repeat(100)), stream.send("y")]).toEqual([undefined, true, false]);
  let hasRoom = false;
  const waiting = stream.drain()?.then(() => {
    hasRoom = true;
  });
  await new Promise(setImmediate);
  expect(hasRoom).toBe(false);
  expect((await stream.next()).value).toBe(`:\n\n${"x".repeat(100)}`);
  await waiting;
  expect([stream.drain(), stream.send("y"), hasRoom]).toEqual([undefined, true, true]);
  await stream.return();
  expect([closed, (await stream.next()).done]).toEqual([1, true]);
});
