import { allow, type Authenticator, defineApi, defineResource, functionStore, silentLog } from "@bifocal/core";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Running, SERVERS, say, upgradeOf } from "./servers.ts";

const PAGE = 500;
const PAGES = 30;
const access = { read: allow, create: allow, update: allow, delete: allow };
const row = defineResource("row", { fields: { id: z.int32(), text: z.string() }, access });
const whole = defineResource("whole", { fields: { id: z.int32(), text: z.string() }, access, plural: "wholes" });

/**
 * An API whose authenticator waits for the gate, with more rows than the network buffers hold for a client that
 * doesn't read.
 */
function createGated(query: { readonly timeout?: number } = {}) {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let isAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const auth: Authenticator = {
    challenge: "Ticket",
    schemes: {},
    headers: ["X-Ticket"],
    authenticate: async ({ headers }) => {
      if (headers["x-ticket"] === undefined) return null;
      isAsked();
      await gate;
      return { id: "ann" };
    },
  };
  const text = "x".repeat(1_000);
  let pages = 0;
  const list = () => {
    const first = pages++ * PAGE;
    return { page: Array.from({ length: PAGE }, (_, at) => ({ id: first + at, text })), more: pages < PAGES };
  };
  const large = { id: 1, text: "x".repeat(16_000_000) };
  const store = functionStore({ row: { list }, whole: { list: () => [large], get: () => large } });
  return { api: defineApi({ resources: [row, whole], store, auth, limits: { query }, log: silentLog }), asked, open };
}

const get = (path: string, ...headers: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\n${["Host: x", ...headers].join("\r\n")}\r\n\r\n`;
const statusOf = (answer: string): number => Number(answer.split(" ", 2)[1]);
const LAST_CHUNK = "\r\n0\r\n\r\n";

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  test("completes open requests before it closes the stores", async () => {
    const { api, asked, open } = createGated();
    running = await start(api);
    const { came } = say(running.port, get("/api/wholes/1", "X-Ticket: a"));
    await asked;
    const closing = running.close();
    await sleep(50);
    open();
    expect(statusOf(await came)).toBe(200);
    await closing;
  });

  test("returns 503 for a request that takes longer than the operation timeout", async () => {
    const { api, asked, open } = createGated({ timeout: 50 });
    running = await start(api);
    const { came } = say(running.port, get("/api/wholes/1", "X-Ticket: a"));
    await asked;
    const closing = running.close();
    await api.close();
    open();
    expect(statusOf(await came)).toBe(503);
    await closing;
  });

  test("ends an event stream that is opened while the API closes", async () => {
    const { api, asked, open } = createGated();
    running = await start(api);
    const { came } = say(running.port, get("/api/rows", "X-Ticket: a", "Accept: text/event-stream"));
    await asked;
    const closing = running.close();
    await sleep(50);
    open();
    await closing;
    const answer = await came;
    // The stream has no events. The empty body is chunked or not.
    expect([statusOf(answer), answer.split("\r\n\r\n").slice(1).join("")]).toEqual([
      200,
      expect.stringMatching(/^0?$/),
    ]);
  });

  test.each(["application/x-ndjson", "text/csv"])("completes a list as %s", async (accept) => {
    const { api } = createGated();
    running = await start(api);
    const { socket, came } = say(running.port, get("/api/rows", `Accept: ${accept}`));
    await once(socket, "data");
    socket.pause();
    const closing = running.close();
    await sleep(50);
    socket.resume();
    const answer = await came;
    expect([answer.endsWith(LAST_CHUNK), answer.split("x".repeat(1_000)).length - 1]).toEqual([true, PAGE * PAGES]);
    await closing;
  });

  test("doesn't make a list look complete if its client stopped reading", async () => {
    const { api } = createGated({ timeout: 50 });
    running = await start(api);
    const { socket, came } = say(running.port, get("/api/rows", "Accept: application/x-ndjson"));
    await once(socket, "data");
    socket.pause();
    const closing = running.close();
    await api.close();
    socket.resume();
    expect((await came).endsWith(LAST_CHUNK)).toBe(false);
    await closing;
  });

  test("delivers a large response to a slow client", async () => {
    const { api } = createGated();
    running = await start(api);
    const { socket, came } = say(running.port, get("/api/wholes/1"));
    await once(socket, "data");
    socket.pause();
    const closing = running.close();
    await sleep(50);
    socket.resume();
    expect((await came).length).toBeGreaterThan(16_000_000);
    await closing;
  });

  test.each([
    ["half a head", "GET /api/rows HTTP/1.1\r\nHost: x\r\n"],
    [
      "half a body",
      "POST /api/rows HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ],
    ["a list that the client doesn't read", get("/api/rows", "Accept: application/x-ndjson")],
    ["a large response that the client doesn't read", get("/api/wholes/1")],
    ["a WebSocket that doesn't answer a close frame", upgradeOf("/api/graphql")],
  ])("disconnects a stalled client after the timeout: %s", async (_what, text) => {
    const { api } = createGated();
    running = await start(api, 200);
    const { socket } = say(running.port, text);
    socket.pause();
    await sleep(100);
    const began = performance.now();
    await running.close();
    expect(performance.now() - began).toBeLessThan(8_000);
    socket.destroy();
  });
});

test("ends a local watch that is started after closing", async () => {
  const { api } = createGated();
  await api.close();
  const seen: unknown[] = [];
  for await (const change of api.local.row.watch()) seen.push(change);
  expect(seen).toEqual([]);
});
