import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Authenticator, defineApi } from "../../src/index.ts";
import { author, book, createLibrary } from "./library.ts";
import { Client, serve, type Served } from "./serve.ts";

const library = createLibrary({ subscriptions: { socketOperations: 3, messageBytes: 4_096, sockets: 20 } });
let served: Served;
beforeAll(async () => {
  served = await serve(library.api);
});
afterAll(() => served.close());

const INIT = { type: "connection_init" };
const WATCH = { query: "subscription { bookUpdated { title } }" };
const subscribe = (id: unknown, payload: unknown = WATCH) => ({ type: "subscribe", id, payload });

describe("F02: closes a socket (graphql-ws PROTOCOL.md)", () => {
  test.each<[name: string, code: number, messages: readonly (object | string)[]]>([
    ["no JSON", 4400, [INIT, "{"]],
    ["no object", 4400, [INIT, "[]"]],
    ["an unknown type", 4400, [INIT, { type: "start" }]],
    ["a server's message", 4400, [INIT, { type: "connection_ack" }]],
    ["no type", 4400, [INIT, {}]],
    ["an invalid payload of 'connection_init'", 4400, [{ type: "connection_init", payload: "key" }]],
    ["an invalid payload of 'ping'", 4400, [{ type: "ping", payload: [] }]],
    ["no id", 4400, [INIT, subscribe(undefined)]],
    ["an empty id", 4400, [INIT, subscribe("")]],
    ["an id that is a number", 4400, [INIT, subscribe(1)]],
    ["a long id", 4400, [INIT, subscribe("x".repeat(129))]],
    ["no payload", 4400, [INIT, { type: "subscribe", id: "1" }]],
    ["no query", 4400, [INIT, subscribe("1", {})]],
    ["an invalid query", 4400, [INIT, subscribe("1", { query: 5 })]],
    ["invalid variables", 4400, [INIT, subscribe("1", { ...WATCH, variables: [] })]],
    ["an invalid operation name", 4400, [INIT, subscribe("1", { ...WATCH, operationName: 1 })]],
    ["invalid extensions", 4400, [INIT, subscribe("1", { ...WATCH, extensions: "x" })]],
    ["a duplicate member", 4400, [INIT, '{"type":"ping","type":"pong"}']],
    ["a deeply nested message", 4400, [INIT, `{"type":"ping","payload":${'{"a":'.repeat(40)}1${"}".repeat(40)}}`]],
    ["'complete' without an id", 4400, [INIT, { type: "complete" }]],
    ["an operation before 'connection_init'", 4401, [subscribe("1")]],
    ["an operation before the acknowledgement", 4401, [INIT, subscribe("1")]],
    ["a bad credential", 4403, [{ ...INIT, payload: { key: "nobody" } }]],
    ["a second 'connection_init'", 4429, [INIT, INIT]],
  ])("%s: %i", async (_, code, messages) => {
    const client = new Client(served.url);
    await client.send(...messages);
    expect(await client.closed).toMatchObject({ code, reason: expect.stringMatching(/./) as string });
  });

  test("for a used id with 4409", async () => {
    for (const id of ["1", "é".repeat(128), "\u{1f4da}".repeat(64)]) {
      const client = await Client.open(served.url);
      await client.send(subscribe(id), subscribe(id));
      expect(await client.closed).toEqual({ code: 4409, reason: "Subscriber already exists" });
    }
  });

  test("F05: for another or no subprotocol with 4406", async () => {
    expect(await new Client(served.url, []).closed).toMatchObject({ code: 4406 });
  });

  test("F01: without 'connection_init' within three seconds with 4408", async () => {
    const since = performance.now();
    expect(await new Client(served.url).closed).toMatchObject({ code: 4408 });
    expect(performance.now() - since).toBeGreaterThan(2_900);
  });

  test("F04: for too many messages with 1008", async () => {
    const client = await Client.open(served.url);
    await client.send(...Array<object>(600).fill({ type: "pong" }));
    expect(await client.closed).toEqual({ code: 1008, reason: "Too many messages" });
  });

  test("F03: for a message over the limit with 1009", async () => {
    const client = await Client.open(served.url);
    await client.send({ type: "ping", payload: { x: "x".repeat(5_000) } });
    expect((await client.closed).code).toBe(1009);
  });
});

describe("a socket", () => {
  test("F12: responds to a 'ping' with its payload at any time, and accepts 'pong'", async () => {
    const client = new Client(served.url);
    await client.send({ type: "ping" }, { type: "pong" }, { type: "ping", payload: { at: 1 } });
    expect(await client.next()).toEqual({ type: "pong" });
    expect(await client.next()).toEqual({ type: "pong", payload: { at: 1 } });
    client.socket.close();
  });

  test("F11: carries queries, mutations and errors, each by its id", async () => {
    const client = await Client.open(served.url, { key: "ann" });
    await client.send(subscribe("q", { query: "{ book(id: 1) { title } }" }));
    expect([await client.next(), await client.next()]).toEqual([
      { id: "q", type: "next", payload: { data: { book: { title: "Book 1" } } } },
      { id: "q", type: "complete" },
    ]);
    await client.send(subscribe("e", { query: "{ nothing }" }));
    expect(await client.next()).toMatchObject({
      id: "e",
      type: "error",
      payload: [{ extensions: { code: "BAD_REQUEST" } }],
    });
    // A released id can be used again.
    await client.send(subscribe("q", { query: "{ __typename }" }));
    expect(await client.next()).toMatchObject({ id: "q", type: "next" });
    client.socket.close();
  });

  test("F04: limits the number of concurrent operations", async () => {
    const client = await Client.open(served.url);
    await client.send(subscribe("1"), subscribe("2"), subscribe("3"), subscribe("4"));
    expect(await client.next()).toMatchObject({
      id: "4",
      type: "error",
      payload: [{ extensions: { code: "RATE_LIMITED" } }],
    });
    await client.send({ type: "complete", id: "1" }, subscribe("4"));
    await client.settle();
    expect(client.waiting).toBe(0);
    client.socket.close();
  });

  test("F10: receives nothing more of a completed subscription, and releases it", async () => {
    const client = await Client.open(served.url, { key: "ann" });
    await client.send(subscribe("1"), subscribe("2", { query: "subscription { bookUpdated(id: 1) { price } }" }));
    await client.settle();
    expect(library.listeners()).toBe(1);
    await client.send({ type: "complete", id: "1" }, { type: "complete", id: "unknown" });
    await client.settle();
    await library.books.update(1, { price: 11 });
    expect(await client.next()).toMatchObject({
      id: "2",
      type: "next",
      payload: { data: { bookUpdated: { price: 11 } } },
    });
    client.socket.close();
    await client.closed;
    await expect.poll(() => library.listeners()).toBe(0);
  });

  test("F10: releases a subscription that completes before anything was sent", async () => {
    const client = await Client.open(served.url);
    for (let n = 0; n < 50; n++) await client.send(subscribe(`${n}`), { type: "complete", id: `${n}` });
    await client.settle();
    await expect.poll(() => library.listeners()).toBe(0);
    client.socket.close();
  });

  test("returns 503 for a socket over the limit", async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => Client.open(served.url)));
    const url = new URL(`${served.url}/graphql`);
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    const status = await new Promise((resolve) => {
      request(url, { headers }, (response) => resolve([response.statusCode, response.headers["retry-after"]])).end();
    });
    expect(status).toEqual([503, "5"]);
    for (const client of clients) client.socket.close();
    await Promise.all(clients.map((client) => client.closed));
  });
});

test.each<[name: string, cookies: boolean, origin: string | undefined, code: number]>([
  ["no page", true, undefined, 101],
  ["a page of the same origin", true, "http://api.example.com", 101],
  ["a page that 'cors' allows", true, "https://app.example.com", 101],
  ["a page of another site", true, "https://evil.example.com", 403],
  ["a page without an origin", true, "null", 403],
  ["a page of another site, without cookie authentication", false, "https://evil.example.com", 101],
])("a socket opened by %s (cookies: %s, %s): %i", async (_, cookies, origin, code) => {
  const scheme = cookies ? { type: "apiKey", in: "cookie", name: "session" } : { type: "http", scheme: "bearer" };
  const auth: Authenticator = { challenge: "Bearer", schemes: { scheme }, authenticate: () => null };
  const api = defineApi({ resources: [author, book], auth, cors: { origins: ["https://app.example.com"] } });
  const own = await serve(api);
  const headers = { Host: "api.example.com", ...(origin === undefined ? {} : { Origin: origin }) };
  const socket = new WebSocket(`${own.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
  const answered = await new Promise((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (__, response) => resolve(response.statusCode));
  });
  expect(answered).toBe(code);
  socket.once("error", () => {});
  socket.terminate();
  await own.close();
});
